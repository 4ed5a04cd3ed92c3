import { createSharedCounts, type SharedCounts } from '../../concurrency/shared-memory/shared-counts.ts';
import { createSharedTimings, type SharedTimings } from '../../concurrency/shared-memory/shared-timings.ts';
import { fetchStatuses, type FetchStatus } from '../../ingest/fetch-delay.ts';
import { appendOutcomes } from '../../runtime/measuring/measured-appends.ts';
import { deliveryOutcomes, type DeliveryOutcome } from '../../runtime/deliverer/on-attempt.ts';

/** What the threads of a process count together; the main thread reads it when somebody asks. */
export interface WorkMeters {
  /** For other threads, who make the same of it. */
  readonly memory: WorkMemory;
  readonly appends: SharedTimings;
  readonly deliveries: SharedCounts<DeliveryOutcome>;
  readonly fetches: SharedCounts<FetchStatus>;
}

export type WorkMemory = Readonly<Record<'appends' | 'deliveries' | 'fetches', SharedArrayBuffer>>;

export function createWorkMeters(memory?: WorkMemory): WorkMeters {
  const appends = createSharedTimings(appendOutcomes.length, memory?.appends);
  const deliveries = createSharedCounts(deliveryOutcomes, memory?.deliveries);
  const fetches = createSharedCounts(fetchStatuses, memory?.fetches);
  return {
    memory: { appends: appends.memory, deliveries: deliveries.memory, fetches: fetches.memory },
    appends,
    deliveries,
    fetches,
  };
}
