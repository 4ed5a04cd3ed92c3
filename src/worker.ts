import { workerData } from 'node:worker_threads';
import type { DeliveringData } from './work-delivering.ts';
import type { ProjectingData } from './work-projecting.ts';

/** What a thread of the service is told when it starts; each kind loads only what it needs. */
export type WorkerData = ProjectingData | DeliveringData;

const data = workerData as WorkerData;
if (data.role === 'projector') await (await import('./work-projecting.ts')).workProjecting(data);
else await (await import('./work-delivering.ts')).workDelivering(data);
