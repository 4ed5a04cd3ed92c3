import { dayMs } from '../kernel/dates.ts';
import type { Document, KeyValue } from '../kernel/projection.ts';
import type { Lease } from '../ports/leases.ts';
import type { OperationalStore } from '../ports/operational-store.ts';

/** How far one purge is. It is found again without this, and only begins its walk anew. */
export interface PurgeJob extends Document {
  readonly kind: string;
  readonly orgId: string | null;
  readonly sinceMs: number;
  /** `counting` what is below it, `taking` that away, `finishing` with the entity itself, `done`. */
  readonly phase: 'counting' | 'taking' | 'finishing' | 'done';
  /** Which of its walks it is in, and behind which row. */
  readonly walk: number;
  readonly after: readonly KeyValue[] | null;
  /** Streams below it that are purged, and how many there were when they were counted. */
  readonly done: number;
  readonly total: number;
  /** Of the last events that were stored, and of those a step before. */
  readonly position: number;
  readonly positionBefore: number;
  /**
   * Of the last release that was erased: the eraser comes no further by what is stored behind it. Not in jobs that versions
   * before this one have begun.
   */
  readonly erasedPosition?: number;
  readonly failures: number;
  /** Of the last step; without failures, what the purge waits for. */
  readonly lastError: string | null;
  /** After a failure it is not tried again before. */
  readonly retryAtMs: number;
}

/** It follows a read model of one event store, so it is not moved to another. */
export const purgeJobsDeclaration = { name: 'purge-jobs', indexes: {} };

/** So long it can be seen that a purge is done. One that goes on, or is tried again, is saved more often than that. */
const keptMs = 7 * dayMs;
const listStep = 500;

export interface PurgeJobs {
  readonly find: (ids: readonly string[]) => Promise<ReadonlyMap<string, PurgeJob>>;
  /** False when the lease was lost. */
  readonly save: (jobs: readonly PurgeJob[], nowMs: number, lease?: Lease) => Promise<boolean>;
  readonly remove: (id: string, lease?: Lease) => Promise<boolean>;
  /** Every one that is known, also those that are done. */
  readonly list: () => Promise<PurgeJob[]>;
}

export async function openPurgeJobs(ops: OperationalStore): Promise<PurgeJobs> {
  const jobs = await ops.collection<PurgeJob>(purgeJobsDeclaration);
  const collection = purgeJobsDeclaration.name;

  return {
    find: async (ids) => new Map((await jobs.getMany(ids)).map(({ doc }) => [doc.id, doc])),
    save: async (changed, nowMs, lease) => {
      if (changed.length === 0) return true;
      const puts = changed.map((doc) => ({ kind: 'put' as const, collection, doc, expiresAtMs: nowMs + keptMs }));
      return (await ops.transact(puts, lease)) !== 'stale_lease';
    },
    remove: async (id, lease) => (await ops.transact([{ kind: 'delete', collection, id }], lease)) !== 'stale_lease',
    list: async () => {
      const found: PurgeJob[] = [];
      for (;;) {
        const page = await jobs.scan(found.at(-1)?.id ?? '', listStep);
        found.push(...page.map(({ doc }) => doc));
        if (page.length < listStep) return found;
      }
    },
  };
}
