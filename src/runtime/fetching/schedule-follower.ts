import { sourceProjection } from '../../../projections/source/source.ts';
import { foldStream } from '../../concurrency/stream-pages.ts';
import { org } from '../../domain/org/state.ts';
import type { OrgEvent } from '../../domain/org/events.ts';
import type { SourceEvent } from '../../domain/source/events.ts';
import { isFetchedBySchedule } from '../../domain/source/fetchable.ts';
import { source } from '../../domain/source/state.ts';
import { fetchPeriodMs } from '../../ingest/fetch-delay.ts';
import type { RecordedEvent } from '../../kernel/event.ts';
import type { Document } from '../../kernel/projection.ts';
import { streamOf } from '../../kernel/stream-name.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventStore } from '../../ports/event-store.ts';
import type { Log } from '../../ports/log.ts';
import type { OperationalStore } from '../../ports/operational-store.ts';
import type { ReadModelSet } from '../../ports/read-models.ts';
import { checkpointsDeclaration } from '../../records/checkpoints.ts';
import type { FetchOutcomes, WantedSchedule } from '../../records/fetching/fetch-outcomes.ts';
import { type LeasedFollower, followWithLease } from '../resilience/follow-with-lease.ts';
import { acquireLeases, LeaseLost } from '../resilience/held-leases.ts';

interface Checkpoint extends Document {
  readonly position: number;
}

const checkpointId = 'fetch-schedule';
const leaseTtlMs = 10_000;
const batchSize = 500;
const sourcesPerPage = 200;
/** Each is two reads of streams. */
const atOnce = 20;
/** Without an event of these kinds the checkpoint is saved this rarely. */
const checkpointEveryMs = 10_000;

const types = [
  'SourceCreated.v1',
  'SourceChanged.v1',
  'SourceDeleted.v1',
  'SourceRestored.v1',
  'SourcePurged.v1',
  'OrgChanged.v1',
  'OrgDeleted.v1',
  'OrgRestored.v1',
] as const satisfies readonly (SourceEvent | OrgEvent)['type'][];

type FollowedEvent = Extract<SourceEvent | OrgEvent, { type: (typeof types)[number] }>;

/** Most changes are about something else: a source that is made paused needs no turn, and a new name makes none. */
const concernsFetching = ({ type, data }: FollowedEvent): boolean => {
  if (type === 'SourceCreated.v1') return data.fetchPriority !== 'paused' && data.type !== 'agent';
  if (type === 'SourceChanged.v1') return data.changed.fetchPriority !== undefined || data.changed.type !== undefined;
  return type !== 'OrgChanged.v1' || data.changed.fetchPaused !== undefined;
};

export interface ScheduleFollowerDeps {
  readonly store: Pick<EventStore, 'read' | 'subscribe'>;
  readonly ops: OperationalStore;
  readonly outcomes: Pick<FetchOutcomes, 'schedule'>;
  /** Once its sources can be read as of that position; throws when that takes too long. */
  readonly modelsAt: (position: number) => Promise<ReadModelSet>;
  readonly clock: Clock;
  readonly log: Log;
  readonly holder: string;
  /** Something may be due now that was not a moment ago. */
  readonly onScheduled: () => void;
}

type SettleDeps = Pick<ScheduleFollowerDeps, 'store' | 'outcomes' | 'clock'>;

async function wantedSchedule({ store, clock }: SettleDeps, sourceId: string): Promise<WantedSchedule> {
  const { state } = await foldStream(store, source, streamOf('source', sourceId));
  const { orgId, discovery, fetchPriority } = state;
  const parent = orgId === null ? null : (await foldStream(store, org, streamOf('org', orgId))).state;
  if (!isFetchedBySchedule(state, parent)) return { sourceId, firstMs: null };
  // A lookup fills the source that it makes by itself.
  const firstInMs = discovery === 'on_demand' ? fetchPeriodMs(fetchPriority) : 0;
  return { sourceId, firstMs: clock.nowMs() + firstInMs };
}

/** Gives some sources their turns, or takes them out, as their streams and those of their orgs say now. */
export async function settleSchedules(deps: SettleDeps, sourceIds: readonly string[]): Promise<void> {
  await deps.outcomes.schedule(await Promise.all(sourceIds.map((sourceId) => wantedSchedule(deps, sourceId))));
}

/**
 * Keeps the turns of sources as the events say. Whatever is done here is decided by what the streams say at that moment, so
 * doing it again, or for an event that later ones have overtaken, comes to the same.
 */
export function startScheduleFollower(deps: ScheduleFollowerDeps): LeasedFollower {
  const { store, ops, modelsAt, clock, log, holder, onScheduled } = deps;

  const settleAll = async (sourceIds: Iterable<string>, over: AbortSignal): Promise<void> => {
    const waiting = [...new Set(sourceIds)];
    for (let from = 0; from < waiting.length && !over.aborted; from += atOnce) {
      await settleSchedules(deps, waiting.slice(from, from + atOnce));
    }
  };

  async function settleOrg(orgId: string, position: number, over: AbortSignal): Promise<void> {
    const sources = (await modelsAt(position)).of(sourceProjection);
    for (let after: readonly string[] | null = null; !over.aborted; ) {
      const page = { index: 'byOrg', equals: { orgId }, ...(after && { after }), limit: sourcesPerPage };
      const rows = await sources.query(page);
      await settleAll(
        rows.map(({ id }) => id),
        over,
      );
      const last = rows.at(-1);
      if (last === undefined || rows.length < sourcesPerPage) return;
      after = [last.id];
    }
  }

  async function settle(events: readonly RecordedEvent[], over: AbortSignal): Promise<void> {
    const concerned = events.filter((event) => concernsFetching(event as FollowedEvent & RecordedEvent));
    await settleAll(
      concerned.filter(({ stream }) => stream.category === 'source').map(({ stream }) => stream.id),
      over,
    );
    for (const { stream, position } of concerned) {
      if (stream.category === 'org') await settleOrg(stream.id, position, over);
    }
    if (concerned.length > 0) onScheduled();
  }

  return followWithLease({
    store,
    clock,
    log,
    what: 'scheduling fetches',
    acquire: () => {
      const wanted = [{ leases: ops.leases, name: 'fetch-schedule', what: 'scheduling fetches' }];
      return acquireLeases(wanted, { holder, ttlMs: leaseTtlMs, clock });
    },
    open: async ({ all: [lease] }) => {
      const checkpoints = await ops.collection<Checkpoint>(checkpointsDeclaration);
      let savedMs = clock.nowMs();
      return {
        from: (await checkpoints.get(checkpointId))?.doc.position ?? 0,
        types: [...types],
        batchSize,
        onBatch: async ({ events, position }, over) => {
          await settle(events, over);
          // What was left undone must be found again.
          if (over.aborted || (events.length === 0 && clock.nowMs() - savedMs < checkpointEveryMs)) return;
          const doc: Checkpoint = { id: checkpointId, position };
          const outcome = await ops.transact([{ kind: 'put', collection: checkpointsDeclaration.name, doc }], lease);
          if (outcome === 'stale_lease') throw new LeaseLost('scheduling fetches');
          savedMs = clock.nowMs();
        },
      };
    },
  });
}
