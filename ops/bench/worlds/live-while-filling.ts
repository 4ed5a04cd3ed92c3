import { setTimeout as sleep } from 'node:timers/promises';
import { createOrg } from '../../../commands/org/create-org.ts';
import { allProjections } from '../../../projections/all-projections.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { openStores } from '../../../src/compose/stores/open-stores.ts';
import { openRegistry, type Registry } from '../../../src/compose/registry.ts';
import type { BackendSettings } from '../../../src/config/backend-settings.ts';
import { createLiveReadModels } from '../../../src/runtime/projector/live-read-models.ts';
import { failBench } from './bench-folder.ts';
import { benchRequest, benchWebBaseUrl } from './seeded-data.ts';
import { besideCommand } from './served-registry.ts';

/** The one with most indexes. */
const filledName = 'release-feed';
const writeEveryMs = 20;
const pollMs = 2;

/** Requests below this number filled the registry. */
let request = 900_000_000;

/** No fold has this number, so whoever finds it live fills its own beside it. */
const generationOfOldFolds = 1;

export interface LiveWrites {
  /** From the append of an org until every live read model has seen it, in order of size. */
  readonly sortedMs: readonly number[];
  readonly fillSeconds: number;
}

/** Writes all the while until the filling is over, and waits for each write to be seen. */
async function writeUntil(registry: Registry, isOver: () => Promise<boolean>): Promise<LiveWrites> {
  const others = allProjections.filter(({ name }) => name !== filledName);
  const live = createLiveReadModels(registry.readModels, others, systemClock);
  const times: number[] = [];
  const startedMs = performance.now();
  while (!(await isOver())) {
    request += 1;
    const { position } = await registry.commands.run(createOrg, { name: `Live ${request}` }, benchRequest(request));
    const appendedMs = performance.now();
    while ((await live.lowestPosition(others)) < position) await sleep(pollMs);
    times.push(performance.now() - appendedMs);
    await sleep(writeEveryMs);
  }
  const fillSeconds = (performance.now() - startedMs) / 1_000;
  return { sortedMs: times.sort((a, b) => a - b), fillSeconds };
}

async function withRegistry<Result>(
  backends: BackendSettings,
  work: (registry: Registry) => Promise<Result>,
): Promise<Result> {
  const options = { logLevel: 'error', webBaseUrl: benchWebBaseUrl, roles: ['projector'], onFatal: failBench } as const;
  const registry = await openRegistry({ backends, ...options });
  try {
    return await work(registry);
  } finally {
    await registry.close();
  }
}

const liveGeneration = async ({ readModels }: Pick<Registry, 'readModels'>): Promise<number | undefined> =>
  (await readModels.pointers())[filledName];

/** While nothing is filled, for comparison. */
export const writesInQuiet = (backends: BackendSettings, count: number): Promise<LiveWrites> =>
  withRegistry(backends, (registry) => {
    let left = count;
    return writeUntil(registry, async () => (left -= 1) < 0);
  });

/** While `registry rebuild` runs beside the service. */
export const writesBesideCommand = (backends: BackendSettings): Promise<LiveWrites> =>
  withRegistry(backends, (registry) => {
    const settings = backends.mongodbUrl === undefined ? {} : { MONGODB_URL: backends.mongodbUrl };
    const words = ['rebuild', filledName];
    return besideCommand(
      backends.dataDir,
      words,
      async (exited) => {
        let code: number | null | undefined;
        void exited.then((ended) => {
          code = ended;
        });
        const writes = await writeUntil(registry, async () => code !== undefined);
        if (code !== 0) throw new Error(`the rebuild ended with ${code}`);
        return writes;
      },
      settings,
    );
  });

/** While the service itself fills a read model that it finds made by older folds, as in a rollout. */
export async function writesInRollout(backends: BackendSettings): Promise<LiveWrites> {
  const stores = await openStores({ backends, onFatal: failBench });
  const expected = await liveGeneration(stores);
  const switched = [{ name: filledName, expected: expected ?? null, generation: generationOfOldFolds }];
  await stores.readModels.open({ name: filledName, generation: generationOfOldFolds, indexes: {} });
  await stores.readModels.switchPointers(switched);
  await stores.close();
  return withRegistry(backends, (registry) =>
    writeUntil(registry, async () => (await liveGeneration(registry)) !== generationOfOldFolds),
  );
}
