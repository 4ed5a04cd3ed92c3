import { workerData } from 'node:worker_threads';
import { allProjections } from '../projections/all-projections.ts';
import { serveThread } from './adapters/threads/serve-thread.ts';
import { createLog } from './adapters/system/log.ts';
import { systemClock } from './adapters/system/clock.ts';
import { type BackendSettings, openProjectorStores } from './compose-stores.ts';
import { startProjectionRunner } from './runtime/projection-runner.ts';
import { whenReachable } from './runtime/when-reachable.ts';

export interface WorkerData extends BackendSettings {
  readonly role: 'projector';
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

const { logLevel, holder, ...backends } = workerData as WorkerData;
const log = createLog({ level: logLevel });

await serveThread<WorkerCalls>(async () => {
  // Started again in the middle of an outage, it waits for the end of it, however long.
  const stores = await whenReachable(() => openProjectorStores({ ...backends, clock: systemClock, onFatal: die }), {
    clock: systemClock,
    waitMs: Number.POSITIVE_INFINITY,
  });
  const runner = startProjectionRunner({
    store: stores.eventStore,
    readModels: stores.readModels,
    projections: allProjections,
    clock: systemClock,
    log,
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
