import { createSharedCounter, type SharedCounter } from '../../concurrency/shared-memory/shared-counter.ts';
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
  /** Of requests that the process answers itself, for those who step aside meanwhile. */
  readonly requests: SharedCounter;
}

export type WorkMemory = Readonly<Record<'appends' | 'deliveries' | 'fetches' | 'requests', SharedArrayBuffer>>;

export function createWorkMeters(memory?: WorkMemory): WorkMeters {
  const appends = createSharedTimings(appendOutcomes.length, memory?.appends);
  const deliveries = createSharedCounts(deliveryOutcomes, memory?.deliveries);
  const fetches = createSharedCounts(fetchStatuses, memory?.fetches);
  const requests = createSharedCounter(memory?.requests);
  return {
    memory: {
      appends: appends.memory,
      deliveries: deliveries.memory,
      fetches: fetches.memory,
      requests: requests.memory,
    },
    appends,
    deliveries,
    fetches,
    requests,
  };
}
