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
import { endStreams } from './end-streams.ts';
import { bodyErased } from './erase-texts.ts';
import { LeaseLost } from '../resilience/held-leases.ts';
import { type MinuteJob, startEveryMinute } from './every-minute.ts';

interface Checkpoint extends Document {
  readonly position: number;
}

const checkpointId = 'text-sweeper';
const leaseTtlMs = 60_000;
const batchSize = 100;

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

const eraseBody = (store: EventStore, stream: string, { metadata }: RecordedEvent): Promise<unknown> =>
  endStreams(store, [{ stream, event: bodyErased, metadata }]);

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

const isOldEnough = ({ metadata }: Swept, clock: Clock): boolean =>
  clock.nowMs() - Date.parse(metadata.recordedAt) >= sweepAfterMs;

interface Sweeping {
  readonly signal?: AbortSignal;
  /** Told after each batch how far it is. */
  readonly reached?: (position: number) => Promise<void>;
}

/** Sweeps what is old enough behind a position; answers where the next look begins. */
export async function sweepTexts(
  deps: SweepDeps & { readonly clock: Clock },
  from: number,
  { signal, reached }: Sweeping = {},
): Promise<number> {
  let position = from;
  for (;;) {
    if (position > from) await reached?.(position);
    const batch = await deps.store.readAll({ afterPosition: position, limit: batchSize, types: sweptTypes });
    for (const event of batch.events as readonly Swept[]) {
      if (!concerns(event)) continue;
      // What comes behind it is younger still.
      if (signal?.aborted || !isOldEnough(event, deps.clock)) return position;
      await sweepAfter(deps, event);
      position = event.position;
    }
    if (batch.position <= position) return position;
    position = batch.position;
  }
}

/**
 * Looks every minute for texts that were replaced or begun an hour ago, and erases those that nothing names any more.
 * The lease is there to spare work: two who sweep at once do the same twice, which is harmless.
 */
export function startTextSweeper(
  deps: SweepDeps & {
    readonly ops: OperationalStore;
    readonly clock: Clock;
    readonly log: Log;
    readonly holder: string;
  },
): MinuteJob {
  const { ops, holder } = deps;

  return startEveryMinute({ ...deps, failure: 'texts that nothing names could not be erased' }, async (stop) => {
    const lease = await ops.leases.acquire(checkpointId, holder, leaseTtlMs);
    if (lease === null) return;
    /** A first look goes through the whole log: what it has done is not done again by whoever goes on. */
    const reached = async (position: number): Promise<void> => {
      const doc: Checkpoint = { id: checkpointId, position };
      const outcome = await ops.transact([{ kind: 'put', collection: checkpointsDeclaration.name, doc }], lease);
      if (outcome === 'stale_lease' || !(await ops.leases.renew(lease, leaseTtlMs))) throw new LeaseLost('sweeping');
    };
    try {
      const checkpoints = await ops.collection<Checkpoint>(checkpointsDeclaration);
      const from = (await checkpoints.get(checkpointId))?.doc.position ?? 0;
      const position = await sweepTexts(deps, from, { signal: stop, reached });
      if (position > from) await reached(position);
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error; // another process goes on where this one has saved its place
    } finally {
      await ops.leases.release(lease);
    }
  });
}
