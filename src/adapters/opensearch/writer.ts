import type { Clock } from '../../ports/clock.ts';
import {
  searchChangeBytes,
  type SearchWrite,
  searchWriteMax,
  type SearchWriteOutcome,
} from '../../ports/search-index.ts';
import { BackendUnavailable } from '../../kernel/backend-unavailable.ts';
import { bulkMsMax } from './bulk.ts';
import type { DocumentWriter } from './document-writer.ts';
import { type BegunWrite, type GenerationState, type GenerationStateStore, isHeld } from './state/generation-state.ts';

export interface WriterOptions {
  readonly state: GenerationStateStore;
  readonly documents: DocumentWriter;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** A note that is older is renewed before more is sent. */
const renewNoteMs = 1_000;
/**
 * So long a note holds others off: what was sent last is answered or given up by then. It is short, because whoever was killed in a
 * write leaves one behind, and nobody goes on before its time is over.
 */
const noteMs = bulkMsMax + 2 * renewNoteMs;

/** Its time was over, and another has begun to write since. */
class NoteLost extends Error {}

const isTooLarge = ({ changes }: SearchWrite): boolean => {
  if (changes.length > searchWriteMax.changes) return true;
  const bytes = changes.reduce((sum, change) => sum + searchChangeBytes(change), 0);
  return changes.length > 1 && bytes > searchWriteMax.bytes;
};

/** Notes a write, sends its documents, and moves the checkpoint with the end of the note. One after the other. */
export function createWriter({ state, documents, clock, newId }: WriterOptions) {
  let last: Promise<unknown> = Promise.resolve();

  const refusal = (now: GenerationState, { position, lease }: SearchWrite): SearchWriteOutcome | null => {
    if (!isHeld(now, lease)) return 'stale_lease';
    return position !== null && position <= now.checkpoint ? 'behind' : null;
  };

  /** Notes of the same lease are of writes that were given up: this one holds the same changes, or newer ones. */
  const begin = async (id: string, write: SearchWrite): Promise<SearchWriteOutcome | null> => {
    const { name, epoch } = write.lease;
    let refused: SearchWriteOutcome | null = null;
    await state.change((before) => {
      refused = before.writes.some((begun) => begun.id === id) ? null : refusal(before, write);
      if (refused !== null) return null;
      const nowMs = clock.nowMs();
      const others = before.writes.filter(
        (begun) => begun.untilMs > nowMs && (begun.lease !== name || begun.epoch !== epoch),
      );
      return { ...before, writes: [...others, { id, lease: name, epoch, untilMs: nowMs + noteMs }] };
    });
    return refused;
  };

  /** A write that has begun under its lease counts, also when the lease has gone over to another since. */
  const end = async (id: string, { position, lease }: SearchWrite): Promise<SearchWriteOutcome> => {
    const isEnded = (now: GenerationState) => now.ended[lease.name] === id;
    const now = await state.change((before) => {
      if (isEnded(before) || !before.writes.some((begun) => begun.id === id)) return null;
      return {
        ...before,
        checkpoint: Math.max(before.checkpoint, position ?? 0),
        writes: before.writes.filter((begun) => begun.id !== id),
        ended: { ...before.ended, [lease.name]: id },
      };
    });
    return isEnded(now) ? 'written' : 'stale_lease'; // its time was over, and another went on without it
  };

  /** One whose time was over holds nobody off any more: it counts only while the lease is with its writer. */
  const renewNote = async (id: string): Promise<void> => {
    const isMine = (begun: BegunWrite) => begun.id === id;
    let isLost = false;
    await state.change((before) => {
      const nowMs = clock.nowMs();
      const mine = before.writes.find(isMine);
      isLost = mine === undefined || (mine.untilMs <= nowMs && before.leases[mine.lease]?.epoch !== mine.epoch);
      if (isLost) return null;
      const untilMs = nowMs + noteMs;
      return { ...before, writes: before.writes.map((begun) => (isMine(begun) ? { ...begun, untilMs } : begun)) };
    });
    if (isLost) throw new NoteLost();
  };

  const takeNoteAway = (id: string): Promise<unknown> =>
    state.change((before) => ({ ...before, writes: before.writes.filter((begun) => begun.id !== id) }));

  const writeNow = async (write: SearchWrite): Promise<SearchWriteOutcome> => {
    const id = newId();
    const refused = await begin(id, write);
    if (refused !== null) return refused;
    let notedMs = clock.nowMs();
    const isNoted = async (): Promise<void> => {
      const nowMs = clock.nowMs();
      if (nowMs - notedMs < renewNoteMs) return;
      notedMs = nowMs;
      await renewNote(id);
    };
    try {
      await documents.write(write.changes, id, isNoted);
    } catch (error) {
      if (error instanceof NoteLost) return 'stale_lease';
      // Of what was not answered something may still come: the note stays until that cannot be any more.
      if (!(error instanceof BackendUnavailable)) await takeNoteAway(id);
      throw error;
    }
    return end(id, write);
  };

  return (write: SearchWrite): Promise<SearchWriteOutcome> => {
    if (isTooLarge(write)) return Promise.resolve('too_large');
    const mine = last.then(() => writeNow(write));
    last = mine.catch(() => {}); // whoever asked for it hears of it
    return mine;
  };
}
