import { allProjections } from '../../../projections/all-projections.ts';
import { releaseFeedReads } from '../../../queries/feed/release-feed-answer.ts';
import { releaseVersionsProjection } from '../../../projections/release-versions/release-versions.ts';
import type { QueryDeps } from '../../../queries/shape/query-deps.ts';
import { createEmbeddedReadModels } from '../../../src/adapters/embedded/read-models/read-models.ts';
import { systemClock as clock } from '../../../src/adapters/system/clock.ts';
import { catalogueReads, createCatalogue } from '../../../src/catalogue/catalogue.ts';
import { categories } from '../../../src/domain/enumerations.ts';
import { toTimestamp } from '../../../src/kernel/dates.ts';
import type { DomainEvent, RecordedEvent } from '../../../src/kernel/event.ts';
import { derivedId } from '../../../src/kernel/ids.ts';
import type { Projection } from '../../../src/kernel/projection.ts';
import type { ReadModel, ReadModels } from '../../../src/ports/read-models.ts';
import { foldBatch } from '../../../src/runtime/projector/fold-batch.ts';
import { createReadModelSet } from '../../../src/runtime/projector/read-model-set.ts';
import {
  orgCreated,
  orgIdOf,
  productCreated,
  productIdOf,
  recorded,
  releaseIndexed,
  sourceCreated,
  sourceIdOf,
} from './grown-events.ts';
import { benchNowMs, benchWebBaseUrl, createChance } from './seeded-data.ts';
import { neverFetched } from '../../../src/records/fetch-state.ts';

export const sourcesPerOrg = 5;
/** A page of 20 of them is full among 200 orgs. */
const orgsPerFeatured = 10;
const batchSize = 1_000;
const minuteMs = 60_000;
/** The other read models stay empty: nothing of theirs happens here. */
const filled: readonly Projection[] = [...catalogueReads, ...releaseFeedReads, releaseVersionsProjection];

export interface GrownShape {
  readonly orgs: number;
  readonly releasesPerOrg: number;
  /** From one release of the registry to the next one, of whatever org. */
  readonly minutesBetween: number;
  /** Of one more source, which has no org; none when absent. */
  readonly releasesOfLargest?: number;
}

export const largestSourceId = derivedId('src', 'largest');

/** The last source of each org is of another type than the others, and fell asleep before these had anything. */
const isAsleep = (source: number): boolean => source % sourcesPerOrg === sourcesPerOrg - 1;

const orgOfSource = (source: number): string => orgIdOf(Math.floor(source / sourcesPerOrg));

/** The product of an org has those that fell asleep. */
const createdSource = (source: number): DomainEvent => {
  const { type, data } = sourceCreated(source, orgOfSource(source));
  const org = Math.floor(source / sourcesPerOrg);
  const name = `${nameOf(org)} ${source % sourcesPerOrg}`;
  const asleep = { type: 'feed', kind: 'docs', productId: productIdOf(org) };
  return { type, data: { ...data, name, ...(isAsleep(source) ? asleep : { type: 'scrape' }) } };
};

/** From all sources in turn. The ten oldest of those that are awake, and they only, are as important as can be. */
function releaseOf(number: number, { orgs, releasesPerOrg, minutesBetween }: GrownShape): DomainEvent {
  const sources = orgs * sourcesPerOrg;
  const releases = orgs * releasesPerOrg;
  const source = number % sources;
  const releasesAgo = releases - number + (isAsleep(source) ? releases : 0);
  const publishedMs = benchNowMs - releasesAgo * minutesBetween * minuteMs;
  const { type, data } = releaseIndexed(sourceIdOf(source), toTimestamp(publishedMs));
  const given = { ...data.given, version: `1.${Math.floor(number / sources)}.0`, importance: number < 10 ? 5 : 2 };
  return { type, data: { ...data, orgId: orgOfSource(source), given } };
}

export const letters = [...'abcdefghijklmnopqrstuvwxyz'];

/** As long for each, so that no name is a part of another; of letters, as names of numbers share most of their parts. */
export const nameOf = (org: number): string => {
  const { pick } = createChance(org);
  return `Org ${Array.from({ length: 8 }, () => pick(letters)).join('')}`;
};

const createdOrg = (org: number): DomainEvent => {
  const { type, data } = orgCreated(org);
  const featured = org % orgsPerFeatured === 0;
  return { type, data: { ...data, name: nameOf(org), category: categories[org % categories.length]!, featured } };
};

/** Older than all others, and with notes on half of them. */
function releaseOfLargest(number: number): DomainEvent {
  const { type, data } = releaseIndexed(largestSourceId, toTimestamp(Date.UTC(2001, 0, 1) + number * minuteMs));
  const notes = number % 2 === 0 ? { migrationNotes: 'Turn it off and on again. '.repeat(8) } : {};
  const given = { ...data.given, ...notes, version: `${Math.floor(number / 100)}.${number % 100}.0` };
  return { type, data: { ...data, given } };
}

function* eventsOf(shape: GrownShape): Generator<RecordedEvent> {
  const { orgs, releasesPerOrg, releasesOfLargest = 0 } = shape;
  const sources = orgs * sourcesPerOrg;
  const releases = orgs * releasesPerOrg;
  let position = 0;
  const next = (stream: string, event: DomainEvent) => recorded((position += 1), stream, event);
  for (let org = 0; org < orgs; org += 1) yield next(`org-${orgIdOf(org)}`, createdOrg(org));
  for (let org = 0; org < orgs; org += 1) yield next(`product-${productIdOf(org)}`, productCreated(org, orgIdOf(org)));
  for (let source = 0; source < sources; source += 1) {
    yield next(`source-${sourceIdOf(source)}`, createdSource(source));
  }
  for (let number = 0; number < releases; number += 1) {
    yield next(`release-${derivedId('rel', String(number))}`, releaseOf(number, shape));
  }
  if (releasesOfLargest === 0) return;
  const { type, data } = sourceCreated(sources, orgIdOf(0));
  yield next(`source-${largestSourceId}`, { type, data: { ...data, orgId: null } });
  for (let number = 0; number < releasesOfLargest; number += 1) {
    yield next(`release-${derivedId('rel', `largest ${number}`)}`, releaseOfLargest(number));
  }
}

/** Made again for each read model: a million of them would fill the memory. */
function* batchesOf(shape: GrownShape): Generator<RecordedEvent[]> {
  let batch: RecordedEvent[] = [];
  for (const event of eventsOf(shape)) {
    batch.push(event);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function fill(readModels: ReadModels, shape: GrownShape): Promise<void> {
  for (const projection of filled) {
    const model = await readModels.open(projection);
    const lease = await model.leases.acquire('feed', 'bench', 3_600_000);
    if (lease === null) throw new Error('the read models of a bench have one writer');
    for (const batch of batchesOf(shape)) {
      const known = batch.filter(({ type }) => projection.on[type] !== undefined);
      const changes = await foldBatch(projection, model, known);
      await model.write({ changes, position: batch.at(-1)!.position, lease });
    }
  }
}

/** A registry of so many orgs in its read models, without an event store. */
export async function createGrownRegistry(folder: string, shape: GrownShape) {
  const readModels = await createEmbeddedReadModels({ folder, clock });
  await fill(readModels, shape);
  const setOf = async (opened: ReadModels) => {
    const models: ReadModel[] = [];
    for (const projection of allProjections) models.push(await opened.open(projection));
    return createReadModelSet(models);
  };
  const models = await setOf(readModels);
  const catalogue = await createCatalogue(models);
  const deps: QueryDeps = {
    models,
    catalogue,
    fetchStates: async (ids) => ids.map(() => neverFetched),
    embeddedAt: async () => null,
    webBaseUrl: benchWebBaseUrl,
  };

  return {
    shape,
    deps,
    /** On connections that have read nothing yet. */
    withColdModels: async (work: (deps: QueryDeps) => Promise<void>) => {
      const cold = await createEmbeddedReadModels({ folder, clock, readonly: true });
      try {
        await work({ ...deps, models: await setOf(cold) });
      } finally {
        await cold.close();
      }
    },
    close: () => readModels.close(),
  };
}

export type GrownRegistry = Awaited<ReturnType<typeof createGrownRegistry>>;
