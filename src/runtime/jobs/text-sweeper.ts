import type { TextBegun } from '../../domain/body/events.ts';
import { bodyStream } from '../../domain/body/split-body.ts';
import type { ChangelogFileStored } from '../../domain/changelog/events.ts';
import type { SummaryWritten } from '../../domain/summary/events.ts';
import type { RecordedEvent } from '../../kernel/event.ts';
import { isId } from '../../kernel/ids.ts';
import type { Document } from '../../kernel/projection.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventStore } from '../../ports/event-store.ts';
import type { Log } from '../../ports/log.ts';
import type { OperationalStore } from '../../ports/operational-store.ts';
import { checkpointsDeclaration } from '../../records/checkpoints.ts';
import { type LeasedFollower, followWithLease } from '../resilience/follow-with-lease.ts';
import { acquireLeases, LeaseLost } from '../resilience/held-leases.ts';
import { markBodyErased } from './eraser.ts';

interface Checkpoint extends Document {
  readonly position: number;
}

const checkpointId = 'text-sweeper';
const leaseTtlMs = 10_000;
const batchSize = 100;

/** Without anything to sweep the checkpoint is saved this rarely: reading again what came in meanwhile is quick. */
const checkpointEveryMs = 10_000;

/** Nobody takes that long to write a text, or to read one whose file was looked up; nor do clocks differ so much. */
export const sweepAfterMs = 60 * 60_000;

/** So many of the last versions of a summary stay, so that a repeat of the request that wrote one is recognised. */
const versionsKept = 8;

export interface SweepDeps {
  readonly store: EventStore;
  /** Makes sure that no file will name the text; false when one does. */
  readonly abandonText: (sourceId: string, key: string) => Promise<boolean>;
}

export type Swept = RecordedEvent<TextBegun> | RecordedEvent<ChangelogFileStored> | RecordedEvent<SummaryWritten>;

export const sweptTypes: readonly string[] = ['TextBegun.v1', 'ChangelogFileStored.v1', 'SummaryWritten.v1'];

/** Release texts are left to the eraser: they stay as long as their release does. */
const concerns = ({ type, stream, data, version }: Swept): boolean => {
  if (type === 'TextBegun.v1') return isId('src', stream.id);
  if (type === 'ChangelogFileStored.v1') return (data as ChangelogFileStored['data']).replacedKey !== null;
  return version % versionsKept === 0; // not at every one: truncating costs as much as writing
};

async function eraseBody(store: EventStore, stream: string, event: RecordedEvent): Promise<void> {
  const { version } = await markBodyErased(store, stream, event);
  await store.truncate(stream, version);
}

async function isErased(store: EventStore, stream: string): Promise<boolean> {
  const { events } = await store.read(stream, { direction: 'backwards', limit: 1 });
  return events[0]?.type === 'BodyErased.v1';
}

/** A text that was begun and is of no file: its writer died, lost against another one, or its file has a newer one. */
async function settleBegun({ store, abandonText }: SweepDeps, event: RecordedEvent<TextBegun>): Promise<void> {
  const sourceId = event.stream.id;
  const { sha256: key } = event.data;
  const body = bodyStream(sourceId, key);
  if (!(await isErased(store, body)) && (await abandonText(sourceId, key))) await eraseBody(store, body, event);
  await store.truncate(event.stream.name, event.version); // those before it are settled too
}

/** What follows from an event that is old enough. Doing it twice is harmless, so a crash is simply done again. */
export async function sweepAfter(deps: SweepDeps, event: Swept): Promise<void> {
  if (!concerns(event)) return;
  const { store } = deps;
  if (event.type === 'TextBegun.v1') return settleBegun(deps, event as RecordedEvent<TextBegun>);
  if (event.type === 'SummaryWritten.v1') return store.truncate(event.stream.name, event.version - versionsKept + 1);
  const { replacedKey } = (event as RecordedEvent<ChangelogFileStored>).data;
  if (replacedKey !== null) await eraseBody(store, bodyStream(event.stream.id, replacedKey), event);
}

/**
 * Follows texts that are replaced or begun, an hour behind, and erases those that nothing names any more. All of
 * them wait equally long, so nobody waits behind one that is due later.
 */
export function startTextSweeper(
  deps: SweepDeps & {
    readonly ops: OperationalStore;
    readonly clock: Clock;
    readonly log: Log;
    readonly holder: string;
  },
): LeasedFollower {
  const { store, ops, clock, log, holder } = deps;

  const untilOldEnough = async ({ metadata }: Swept, over: AbortSignal): Promise<void> => {
    const dueMs = Date.parse(metadata.recordedAt) + sweepAfterMs;
    while (!over.aborted && clock.nowMs() < dueMs) await clock.sleep(dueMs - clock.nowMs(), over);
  };

  return followWithLease({
    store,
    clock,
    log,
    what: 'sweeping texts',
    acquire: () => {
      const wanted = [{ leases: ops.leases, name: checkpointId, what: 'sweeping texts' }];
      return acquireLeases(wanted, { holder, ttlMs: leaseTtlMs, clock });
    },
    open: async ({ all: [lease] }) => {
      const checkpoints = await ops.collection<Checkpoint>(checkpointsDeclaration);
      let savedMs = clock.nowMs();
      return {
        from: (await checkpoints.get(checkpointId))?.doc.position ?? 0,
        types: sweptTypes,
        batchSize,
        onBatch: async ({ events, position }, over) => {
          const swept = (events as readonly Swept[]).filter(concerns);
          for (const event of swept) {
            await untilOldEnough(event, over);
            if (over.aborted) return;
            await sweepAfter(deps, event);
          }
          if (swept.length === 0 && clock.nowMs() - savedMs < checkpointEveryMs) return;
          const doc: Checkpoint = { id: checkpointId, position };
          const outcome = await ops.transact([{ kind: 'put', collection: checkpointsDeclaration.name, doc }], lease);
          if (outcome === 'stale_lease') throw new LeaseLost('sweeping texts');
          savedMs = clock.nowMs();
        },
      };
    },
  });
}
