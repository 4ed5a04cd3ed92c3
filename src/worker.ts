import { workerData } from 'node:worker_threads';
import { allProjections } from '../projections/all-projections.ts';
import { serveThread } from './adapters/threads/serve-thread.ts';
import { createLog } from './adapters/system/log.ts';
import { systemClock } from './adapters/system/clock.ts';
import { openProjectorStores } from './compose-embedded.ts';
import { startProjectionRunner } from './runtime/projection-runner.ts';

export interface WorkerData {
  readonly role: 'projector';
  readonly dataDir: string;
  readonly logLevel: string;
  readonly holder: string;
}

export type WorkerCalls = {
  failures: (input: null) => { name: string; message: string; position: number }[];
};

/** A failure of a part ends the thread with its reason; the main thread decides what follows. */
const die = (error: unknown): void => {
  process.nextTick(() => {
    throw error;
  });
};

const { dataDir, logLevel, holder } = workerData as WorkerData;

await serveThread<WorkerCalls>(async () => {
  const stores = await openProjectorStores({ dataDir, clock: systemClock, onFatal: die });
  const runner = startProjectionRunner({
    store: stores.eventStore,
    readModels: stores.readModels,
    projections: allProjections,
    clock: systemClock,
    log: createLog({ level: logLevel }),
    holder,
  });
  runner.done.catch(die);
  return {
    calls: {
      failures: () =>
        runner.failures().map(({ name, failure }) => ({ name, message: failure.message, position: failure.position })),
    },
    close: async () => {
      await runner.close();
      await stores.close();
    },
  };
});
