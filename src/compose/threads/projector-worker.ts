import { workerData } from 'node:worker_threads';
import { allProjections } from '../../../projections/all-projections.ts';
import { dieOf, serveThread } from '../../adapters/threads/serve-thread.ts';
import { createLog } from '../../adapters/system/log.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import type { BackendSettings } from '../../config/backend-settings.ts';
import { openProjectorStores } from '../stores/stores.ts';
import { createFiller } from './filler-thread.ts';
import { createProjectedStamp } from './projected-stamp.ts';
import { createTellDocuments, type ToldDocumentsData } from './told-documents.ts';
import { announcedWrites } from '../../runtime/projector/announced-writes.ts';
import { type ProjectionFailure, startProjectionRunner } from '../../runtime/projector/projection-runner.ts';
import { whenReachable } from '../../runtime/resilience/when-reachable.ts';

export interface ProjectorThreadData {
  readonly backends: BackendSettings;
  readonly logLevel: string;
  /** Names the projector of this process; a thread that follows a dead one goes on with its leases. */
  readonly holder: string;
  /** Of the process, for those of its threads that read. */
  readonly stamp: SharedArrayBuffer;
}

/** What it is given besides, at each start. */
interface HandedOver {
  /** Who follows read models in this process, if anybody does. */
  readonly told?: ToldDocumentsData;
}

export type ProjectorThreadCalls = {
  failures: (input: null) => ProjectionFailure[];
};

await serveThread<ProjectorThreadCalls>(async () => {
  const { backends, logLevel, holder, stamp, told } = workerData as ProjectorThreadData & HandedOver;
  // Started again in the middle of an outage, it waits for the end of it, however long.
  const stores = await whenReachable(() => openProjectorStores({ ...backends, clock: systemClock, onFatal: dieOf }), {
    clock: systemClock,
    waitMs: Number.POSITIVE_INFINITY,
  });
  const { announce } = createProjectedStamp(stamp, told && createTellDocuments(told));
  const runner = startProjectionRunner({
    store: stores.eventStore,
    readModels: announcedWrites(stores.readModels, announce),
    onTaken: () => announce(null),
    projections: allProjections,
    clock: systemClock,
    log: createLog({ level: logLevel }),
    holder,
    fillApart: createFiller({ backends, logLevel, holder: `${holder}:fill`, stamp }),
  });
  runner.done.catch(dieOf);
  return {
    calls: { failures: () => [...runner.failures()] },
    close: async () => {
      await runner.close();
      await stores.close();
    },
  };
});
