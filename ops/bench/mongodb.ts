import { releaseDetailProjection } from '../../projections/release-detail/release-detail.ts';
import { releaseFeedProjection } from '../../projections/release-feed/release-feed.ts';
import { createEmbeddedReadModels } from '../../src/adapters/embedded/read-models/read-models.ts';
import { openMongo } from '../../src/adapters/mongodb/connection.ts';
import { createMongoReadModels } from '../../src/adapters/mongodb/read-models/read-models.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { systemIds } from '../../src/adapters/system/ids.ts';
import { type Document, put, type Projection } from '../../src/kernel/projection.ts';
import type { ReadModel, ReadModels } from '../../src/ports/read-models.ts';
import { inBenchFolder, secondsSince } from './worlds/bench-folder.ts';
import { percentile } from './worlds/percentile.ts';
import type { Figure } from './bench-report.ts';
import { deepCursors, largeReleases, type Page, pagesOf, timesOf } from './feed.ts';
import { createFeedWorld, type FeedWorld } from './worlds/feed-world.ts';

const writtenDocuments = 20_000;
const batchDocuments = 500;
/** Fewer than in `feed`: a connection is opened for each. */
const samples = 100;

/** A generation that nobody reads: no fold has that number. */
const benchGeneration = 999_999_000;

const urlForTests = (): string => {
  const url = process.env['MONGODB_URL_FOR_TESTS'];
  if (url) return url;
  throw new Error('MONGODB_URL_FOR_TESTS is not set: run `ops/stack/up mongodb`, then `eval "$(ops/stack/env)"`.');
};

const addressOf = (database: string): string =>
  urlForTests().replace(/^(mongodb(?:\+srv)?:\/\/[^/?]+)\/?[^?]*/, `$1/${database}`);

/** A database that is gone after the work. */
export async function withDatabase<Result>(work: (url: string) => Promise<Result>): Promise<Result> {
  const url = addressOf(`bench-${systemIds.commandId()}`);
  try {
    return await work(url);
  } finally {
    await dropDatabase(url);
  }
}

async function dropDatabase(url: string): Promise<void> {
  const connection = await openMongo({ url, appName: 'registry bench' });
  try {
    await connection.db.dropDatabase();
  } finally {
    await connection.close();
  }
}

/** A database that stays, for others to use again. */
export async function withNamedDatabase<Result>(
  name: string,
  { isEmpty }: { readonly isEmpty: boolean },
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const url = addressOf(name);
  if (isEmpty) await dropDatabase(url);
  return work(url);
}

async function readDocuments<Doc extends Document>(model: ReadModel<Doc>): Promise<Document[]> {
  const documents: Document[] = [];
  while (documents.length < writtenDocuments) {
    const rows = await model.scan(documents.at(-1)?.id ?? '', 1_000);
    if (rows.length === 0) break;
    documents.push(...rows.map(({ doc }) => doc));
  }
  return documents;
}

/** Documents a second in batches, each one transaction with its checkpoint, all indexes in place. */
async function writesPerSecond(models: ReadModels, projection: Projection, documents: readonly Document[]) {
  const { name, indexes } = projection;
  const model = await models.open({ name, generation: benchGeneration, indexes });
  const lease = await model.leases.acquire('feed', 'bench', 600_000);
  const startedMs = performance.now();
  for (let done = 0; done < documents.length; done += batchDocuments) {
    const position = done + batchDocuments;
    const changes = documents.slice(done, position).map((doc) => ({ ...put(doc), position }));
    await model.write({ changes, position, lease: lease! });
  }
  return documents.length / secondsSince(startedMs);
}

async function writeFigures(
  embedded: ReadModels,
  mongo: ReadModels,
  projection: Projection,
  documents: readonly Document[],
): Promise<Figure[]> {
  const metric = `${projection.name} documents written, ${batchDocuments} a batch`;
  return [
    { metric: `${metric}, embedded`, value: await writesPerSecond(embedded, projection, documents), unit: '1/s' },
    {
      metric: `${metric}, MongoDB`,
      value: await writesPerSecond(mongo, projection, documents),
      unit: '1/s',
      atLeast: 5_000,
    },
  ];
}

async function pageFigures(page: Page, embedded: FeedWorld, mongo: FeedWorld): Promise<Figure[]> {
  const [embeddedTimes, mongoTimes] = (await timesOf(page, [embedded, mongo], samples)) as [number[], number[]];
  const metric = `${page.metric}, ${mongo.releases} releases`;
  return [
    { metric: `${metric}, embedded, p95`, value: percentile(embeddedTimes, 0.95), unit: 'ms' },
    { metric: `${metric}, MongoDB, p50`, value: percentile(mongoTimes, 0.5), unit: 'ms' },
    { metric: `${metric}, MongoDB, p95`, value: percentile(mongoTimes, 0.95), unit: 'ms', atMost: 25 },
  ];
}

/** Writes and cold pages on MongoDB, beside the same on the files of the embedded store. */
export const runMongodb = ({
  releases = largeReleases,
}: {
  readonly releases?: number | undefined;
}): Promise<Figure[]> =>
  inBenchFolder((dataDir) =>
    withDatabase(async (mongodbUrl) => {
      const embeddedWorld = await createFeedWorld({ dataDir }, releases);
      const mongoWorld = await createFeedWorld({ dataDir, mongodbUrl }, releases);
      const figures: Figure[] = [
        { metric: `projecting ${releases} releases into MongoDB`, value: mongoWorld.fillSeconds, unit: 's' },
      ];
      const embedded = await createEmbeddedReadModels({ folder: dataDir, clock: systemClock });
      const connection = await openMongo({ url: mongodbUrl, appName: 'registry bench' });
      const mongo = createMongoReadModels({ connection, clock: systemClock });
      try {
        const [rows, details] = await embeddedWorld.withColdModels(({ models }) =>
          Promise.all([
            readDocuments(models.of(releaseFeedProjection)),
            readDocuments(models.of(releaseDetailProjection)),
          ]),
        );
        figures.push(...(await writeFigures(embedded, mongo, releaseFeedProjection, rows)));
        figures.push(...(await writeFigures(embedded, mongo, releaseDetailProjection, details)));
      } finally {
        await embedded.close();
        await connection.close();
      }
      const cursors = new Map([
        [embeddedWorld, await deepCursors(embeddedWorld)],
        [mongoWorld, await deepCursors(mongoWorld)],
      ]);
      for (const page of pagesOf(cursors)) figures.push(...(await pageFigures(page, embeddedWorld, mongoWorld)));
      return figures;
    }),
  );
