import { workerData } from 'node:worker_threads';
import type { DeliveryThreadData } from './delivery-worker.ts';
import type { ProjectorThreadData } from './projector-worker.ts';

/** What a thread of the service is told when it starts; each kind loads only what it needs. */
export type WorkerData = ProjectorThreadData | DeliveryThreadData;

const data = workerData as WorkerData;
if (data.role === 'projector') await (await import('./projector-worker.ts')).runProjectorThread(data);
else await (await import('./delivery-worker.ts')).runDeliveryThread(data);
