import { expect, it } from 'vitest';
import { allProjections } from '../../projections/all-projections.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { systemRandom } from '../../src/adapters/system/random.ts';
import { openStores } from '../../src/compose/stores/open-stores.ts';
import { closeJobs, startJobs } from '../../src/compose/start-jobs.ts';
import { BackendUnavailable } from '../../src/kernel/backend-unavailable.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { OperationalStore } from '../../src/ports/operational-store.ts';
import { purgeJobsDeclaration } from '../../src/records/purge-jobs.ts';
import { createSnapshots } from '../../src/records/snapshots.ts';
import { createLiveReadModels } from '../../src/runtime/projector/live-read-models.ts';
import { createKeptLog } from '../spec/kept-log.ts';
import { createTempFolder } from '../spec/temp-folder.ts';
import { createTestRunners } from '../spec/worlds/embedded-registry.ts';

it('no job is left running when one cannot be started: whoever tries again would have each of them twice', async () => {
  const folder = createTempFolder();
  const onFatal = (error: Error): void => {
    throw error;
  };
  const stores = await openStores({ backends: { dataDir: folder.path }, onFatal });
  let sleeping = 0;
  const clock: Clock = {
    ...systemClock,
    sleep: async (ms, signal) => {
      sleeping += 1;
      await systemClock.sleep(ms, signal);
      sleeping -= 1;
    },
  };
  let wereSleeping = 0;
  const ops: OperationalStore = {
    ...stores.ops,
    collection: async (declaration) => {
      if (declaration.name !== purgeJobsDeclaration.name) return stores.ops.collection(declaration);
      wereSleeping = sleeping;
      throw new BackendUnavailable('MongoDB');
    },
  };
  const log = createKeptLog();
  const starting = startJobs({
    ...createTestRunners(stores.eventStore, clock),
    stores: { ...stores, ops },
    live: createLiveReadModels(stores.readModels, allProjections, clock),
    snapshots: createSnapshots({ ops, clock, log }),
    random: systemRandom,
    clock,
    log,
    holder: 'a',
    webBaseUrl: 'https://registry.example',
    requests: () => 0,
  });
  await expect(starting).rejects.toThrow(BackendUnavailable);
  expect(wereSleeping).toBeGreaterThan(0);
  expect(sleeping).toBe(0);
  await stores.close();
  folder.remove();
});

it('those that were started last end first: a purge waits for the eraser, which was started before it', async () => {
  const closed: string[] = [];
  const part = (name: string) => ({ done: Promise.resolve(), close: async () => void closed.push(name) });
  await closeJobs([part('eraser'), part('sweeper'), part('purger')]);
  expect(closed).toEqual(['purger', 'sweeper', 'eraser']);
});
