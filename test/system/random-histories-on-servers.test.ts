import { afterAll, beforeAll, test } from 'vitest';
import { createEventStoreDbEventStore } from '../../src/adapters/eventstoredb/event-store.ts';
import { openMongo } from '../../src/adapters/mongodb/connection.ts';
import { createMongoReadModels } from '../../src/adapters/mongodb/read-models/read-models.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { systemRandom } from '../../src/adapters/system/random.ts';
import { upcasters } from '../../src/domain/upcasters.ts';
import { createEventCodec } from '../../src/kernel/event-codec.ts';
import { describeMongo } from '../adapters/mongodb/describe-mongo.ts';
import { dropDatabase, newDatabaseUrl } from '../adapters/mongodb/mongo-backends.ts';
import { type Place, runHistory, stepsOf } from '../spec/random-history/run-history.ts';
import type { TempFolder } from '../spec/temp-folder.ts';
import { copyOfFolder, createEmptyDataFolder, createEmptyReadModels } from '../spec/worlds/followed-registry.ts';
import { type Standin, startStandin } from '../standin/eventstoredb/standin-process.ts';

let emptyFolder: TempFolder;
let standin: Standin;

beforeAll(async () => {
  [emptyFolder, standin] = await Promise.all([createEmptyDataFolder(), startStandin()]);
});
afterAll(async () => {
  emptyFolder.remove();
  await standin.close();
});

const openEventStoreDb = async () => {
  await standin.control({ command: 'reset' });
  return createEventStoreDbEventStore({
    url: standin.url,
    codec: createEventCodec(upcasters),
    clock: systemClock,
    random: systemRandom,
  });
};

/** Few: a server answers thousands of questions more slowly than a file. */
const histories: readonly (readonly [number, string, Pick<Place, 'openStore'>])[] = [
  [3, 'embedded events', {}],
  [8, 'EventStoreDB', { openStore: openEventStoreDb }],
];

const { SEED } = process.env;

describeMongo((server) => {
  test.each(histories)('in the random history of seed %i over %s', async (known, _, events) => {
    const seed = SEED === undefined ? known : Number(SEED);
    const url = newDatabaseUrl(server);
    const connection = await openMongo({ url, appName: 'random histories' });
    const readModels = createMongoReadModels({ connection, clock: systemClock });
    const folder = copyOfFolder(emptyFolder);
    try {
      await createEmptyReadModels(readModels);
      const place = { folder: folder.path, openReadModels: async () => readModels, ...events };
      await runHistory(seed, place, stepsOf(seed), () => {});
    } finally {
      folder.remove();
      await connection.close();
      await dropDatabase(url);
    }
  });
});
