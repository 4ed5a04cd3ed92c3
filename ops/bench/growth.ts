import { cpSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { instantsProjection } from '../../projections/instants/instants.ts';
import { orgProjection } from '../../projections/org/org.ts';
import { sourceProjection } from '../../projections/source/source.ts';
import { createEmbeddedReadModels } from '../../src/adapters/embedded/read-models/read-models.ts';
import { systemClock as clock } from '../../src/adapters/system/clock.ts';
import { catalogueReads, createCatalogue } from '../../src/catalogue/catalogue.ts';
import { derivedId } from '../../src/kernel/ids.ts';
import type { RecordedEvent } from '../../src/kernel/event.ts';
import { type Document, type Projection, put } from '../../src/kernel/projection.ts';
import type { ReadModel, ReadModels } from '../../src/ports/read-models.ts';
import { foldBatch } from '../../src/runtime/projector/fold-batch.ts';
import { createReadModelSet } from '../../src/runtime/projector/read-model-set.ts';
import { inBenchFolder } from './worlds/bench-folder.ts';
import type { Figure } from './bench-report.ts';
import { longTexts } from './long-texts.ts';
import { orgCreated, orgIdOf, recorded, releaseIndexed, sourceCreated, sourceIdOf } from './worlds/grown-events.ts';
import { longestBlockMs } from './worlds/longest-block.ts';
import { percentile } from './worlds/percentile.ts';

const batchSize = 1_000;
const generation = 1;
const rounds = 5;

/** What is measured, each by itself in an empty folder. */
const measures: readonly ((folder: string) => Promise<Figure[]>)[] = [
  (folder) => releasesOfOneSource(folder, 'undated', null),
  (folder) => releasesOfOneSource(folder, 'dated', '2026-03-14T09:00:00.000Z'),
  rewrittenDocuments,
  bigCatalogue,
  longTexts,
];

/** What a registry costs when it has grown: nothing here may get slower or larger with what came before. */
export async function runGrowth(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const measure of measures) figures.push(...(await inBenchFolder(measure)));
  return figures;
}

async function openFed(models: ReadModels, { name, indexes }: Pick<Projection, 'name' | 'indexes'>) {
  const model = await models.open<Document>({ name, generation, indexes });
  const lease = await model.leases.acquire('feed', 'bench', 3_600_000);
  if (lease === null) throw new Error('the read models of a bench have one writer');
  return { model, lease };
}

type Fed = Awaited<ReturnType<typeof openFed>>;

async function feed({ model, lease }: Fed, projection: Projection, events: readonly RecordedEvent[]): Promise<void> {
  for (let from = 0; from < events.length; from += batchSize) {
    const batch = events.slice(from, from + batchSize);
    const changes = await foldBatch(projection, model, batch);
    await model.write({ changes, position: batch.at(-1)!.position, lease });
  }
}

/** Folding and writing, at the beginning and at the end of many releases of one source and, where they are dated, one month. */
async function releasesOfOneSource(folder: string, which: string, publishedAt: string | null): Promise<Figure[]> {
  const releases = 20_000;
  const measured = 4_000;
  const models = await createEmbeddedReadModels({ folder, clock });
  const fed = await openFed(models, instantsProjection);
  let position = 0;
  const eventsOf = (source: number, count: number) =>
    Array.from({ length: count }, () => {
      position += 1;
      const stream = `release-${derivedId('rel', String(position))}`;
      return recorded(position, stream, releaseIndexed(sourceIdOf(source), publishedAt));
    });
  await feed(fed, instantsProjection, eventsOf(1, releases)); // so that all code is compiled
  const rateOf = async (events: readonly RecordedEvent[]): Promise<number> => {
    const before = process.cpuUsage();
    await feed(fed, instantsProjection, events);
    const { user, system } = process.cpuUsage(before);
    return (events.length * 1_000_000) / (user + system);
  };
  const [firstRates, lastRates]: [number[], number[]] = [[], []];
  for (let source = 2; source < 2 + rounds; source += 1) {
    const events = eventsOf(source, releases);
    firstRates.push(await rateOf(events.slice(0, measured)));
    await rateOf(events.slice(measured, releases - measured));
    lastRates.push(await rateOf(events.slice(releases - measured)));
  }
  const [first, last] = [percentile(firstRates, 0.5), percentile(lastRates, 0.5)];
  await models.close();
  const metric = (end: string) => `instants: the ${end} ${measured} of ${releases} ${which} releases of a source`;
  return [
    { metric: metric('first'), value: first, unit: 'events/s of CPU', atLeast: 30_000 },
    { metric: metric('last'), value: last, unit: 'events/s of CPU', atLeast: 30_000 },
  ];
}

/** The file of a few documents that are written over and over. */
async function rewrittenDocuments(folder: string): Promise<Figure[]> {
  const documents = 10;
  const updates = 40_000;
  const models = await createEmbeddedReadModels({ folder, clock });
  const { model, lease } = await openFed(models, { name: 'rewritten', indexes: {} });
  for (let position = 1; position <= updates / documents; position += 1) {
    const text = 'x'.repeat(1_900 + (position % 100));
    const changes = Array.from({ length: documents }, (_, number) => {
      const doc: Document & { text: string } = { id: `document-${number}`, text };
      return { ...put<Document>(doc), position };
    });
    await model.write({ changes, position, lease });
  }
  await models.close();
  const value = statSync(join(folder, 'read', `rewritten.g${generation}.sqlite`)).size / 2 ** 20;
  return [{ metric: `file of ${documents} documents after ${updates} updates`, value, unit: 'MiB', atMost: 1 }];
}

/** How long a thread stands still that opens what another one writes, loads the catalogue of it, and scrubs. */
async function bigCatalogue(folder: string): Promise<Figure[]> {
  const orgs = 10_000;
  const sources = 50_000;
  const releases = 200_000;
  const writing = await createEmbeddedReadModels({ folder, clock });
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  const emptyOnes = catalogueReads.filter(
    (one) => ![orgProjection, sourceProjection, instantsProjection].some(({ name }) => name === one.name),
  );
  for (const projection of emptyOnes) await feed(await openFed(writing, projection), projection, []);
  await feed(
    await openFed(writing, orgProjection),
    orgProjection,
    numbers(orgs).map((number) => recorded(number, `org-${orgIdOf(number)}`, orgCreated(number))),
  );
  const sourceFed = await openFed(writing, sourceProjection);
  const sourceEvents = (fromPosition: number, count = 10_000) =>
    numbers(count).map((number) => {
      const created = sourceCreated(number, orgIdOf(1 + (number % orgs)));
      return recorded(fromPosition + number, `source-${sourceIdOf(number)}`, created);
    });
  let rewrites = 0;
  await feed(sourceFed, sourceProjection, sourceEvents(0, sources));
  await feed(
    await openFed(writing, instantsProjection),
    instantsProjection,
    numbers(releases).map((number) => {
      const day = String(1 + (number % 28)).padStart(2, '0');
      const indexed = releaseIndexed(
        sourceIdOf(1 + (number % sources)),
        `2024-0${1 + (number % 9)}-${day}T00:00:00.000Z`,
      );
      return recorded(number, `release-${derivedId('rel', String(number))}`, indexed);
    }),
  );

  const openAll = async (models: ReadModels) => {
    const opened: ReadModel[] = [];
    for (const { name, indexes } of catalogueReads) opened.push(await models.open({ name, generation, indexes }));
    return createReadModelSet(opened);
  };
  let reading = await createEmbeddedReadModels({ folder, clock });
  const openMs = await longestBlockMs(
    () => openAll(reading),
    async () => {
      await reading.close();
      reading = await createEmbeddedReadModels({ folder, clock });
    },
  );

  // As a crash leaves them: with their logs, and nobody has them open.
  const leftFolder = join(folder, 'left');
  let left: ReadModels | undefined;
  const leaveAgain = async () => {
    await left?.close();
    rmSync(leftFolder, { recursive: true, force: true });
    cpSync(join(folder, 'read'), join(leftFolder, 'read'), { recursive: true });
    left = await createEmbeddedReadModels({ folder: leftFolder, clock });
  };
  const leftMs = await longestBlockMs(() => openAll(left!), leaveAgain);
  await left?.close();

  const opened = await openAll(reading);
  const loadMs = await longestBlockMs(async () => {
    const catalogue = await createCatalogue(opened);
    catalogue.publicOrgs(null, clock.nowMs()); // the first look finds everything in order
  });
  const rewrite = () => feed(sourceFed, sourceProjection, sourceEvents(1 + sources * (rewrites += 1)));
  const scrubMs = await longestBlockMs(() => reading.scrub(), rewrite);
  await reading.close();
  await writing.close();
  const metric = (what: string) =>
    `longest block while ${what}, of ${orgs} orgs, ${sources} sources and ${releases} releases`;
  return [
    { metric: metric('a switch opens files'), value: openMs, unit: 'ms', atMost: 10 },
    { metric: metric('files are opened that a crash left'), value: leftMs, unit: 'ms', atMost: 10 },
    { metric: metric('the catalogue is loaded'), value: loadMs, unit: 'ms', atMost: 10 },
    { metric: metric('read models are scrubbed'), value: scrubMs, unit: 'ms', atMost: 10 },
  ];
}
