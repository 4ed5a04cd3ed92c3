import type { Document } from '../kernel/projection.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { CollectionDeclaration, OperationalStore } from '../ports/operational-store.ts';

/** By policy, then client by client: its number and how many requests of it were let in. */
export type CountsByPolicy = Readonly<Record<string, readonly (readonly [client: number, count: number])[]>>;

interface ToldCounts extends Document {
  readonly process: string;
  /** One more each time that this process tells. */
  readonly turn: number;
  readonly counts: CountsByPolicy;
  /** By the clock of the store, which is one for all processes. */
  readonly toldMs: number;
}

export interface HeardCounts {
  readonly ageMs: number;
  readonly counts: CountsByPolicy;
}

/** What processes tell each other of the requests that they let in. No address is among it: clients are numbers. */
export interface RequestCounts {
  /** Tells what was counted here since the last time; answers what others have told since then, each once. */
  readonly exchange: (counts: CountsByPolicy) => Promise<HeardCounts[]>;
  /**
   * Answers what others have told, too, and only reads. The first of a process that has told nothing yet is a write and a
   * read: it tells that nothing was counted, to learn by the stamp what time it is in the store.
   */
  readonly look: () => Promise<HeardCounts[]>;
}

const declaration: CollectionDeclaration = { name: 'request-counts', indexes: { byTime: ['toldMs'] } };

/** Nobody has a use for older ones: they were over before. */
const keptMs = 60_000;
/** At two a second these are what was told within that time, so a process keeps no more documents than this. */
const documentsMax = 120;
/** What is written at the same time may be seen a moment later than what is stamped after it. */
const overlapMs = 5_000;
const documentsAtOnce = 500;

interface Teller {
  readonly turn: number;
  readonly toldMs: number;
}

export async function openRequestCounts(deps: {
  readonly ops: OperationalStore;
  readonly clock: Clock;
  readonly ids: Ids;
}): Promise<RequestCounts> {
  const { ops, clock } = deps;
  const { name: collection } = declaration;
  const documents = await ops.collection<ToldCounts>(declaration);
  const process = deps.ids.commandId();
  let turn = 0;
  let seenMs = 0;
  /** By how much the clock of the store is ahead of this process's; null until something was told here. */
  let storeAheadMs: number | null = null;
  /** The last turn that was heard of each process, this one included. */
  let tellers = new Map<string, Teller>();

  async function tell(counts: CountsByPolicy): Promise<void> {
    turn += 1;
    const doc: ToldCounts = { id: `${process}:${turn % documentsMax}`, process, turn, counts, toldMs: 0 };
    const expiresAtMs = clock.nowMs() + keptMs;
    await ops.transact([{ kind: 'put', collection, doc, stampsMs: { toldMs: 0 }, expiresAtMs }]);
  }

  /** Those that were told lately; some of them were read before. */
  async function readNewest(): Promise<ToldCounts[]> {
    const read: ToldCounts[] = [];
    for (let after: readonly [number, string] | null = null; ; ) {
      const page = { index: 'byTime', equals: {}, from: seenMs - overlapMs, ...(after && { after }) };
      const rows = await documents.query({ ...page, limit: documentsAtOnce });
      read.push(...rows.map(({ doc }) => doc));
      const last = read.at(-1);
      if (last === undefined || rows.length < documentsAtOnce) return read;
      after = [last.toldMs, last.id];
    }
  }

  /** Reads what was told, each once; what is forgotten is told by the times of the store alone. */
  async function hear(): Promise<ToldCounts[]> {
    const read = await readNewest();
    // By turns: what was told within a millisecond is read in any order, and the last one must be remembered.
    const unheard = read
      .filter((doc) => doc.turn > (tellers.get(doc.process)?.turn ?? 0))
      .sort((a, b) => a.turn - b.turn);
    for (const doc of unheard) {
      tellers.set(doc.process, doc);
      seenMs = Math.max(seenMs, doc.toldMs);
    }
    tellers = new Map([...tellers].filter(([, { toldMs }]) => seenMs - toldMs <= keptMs));
    return unheard.filter((doc) => doc.process !== process);
  }

  const aged = (heard: readonly ToldCounts[], storeMs: number): HeardCounts[] =>
    heard.map((doc) => ({ ageMs: storeMs - doc.toldMs, counts: doc.counts }));

  async function exchange(counts: CountsByPolicy): Promise<HeardCounts[]> {
    await tell(counts);
    const heard = await hear();
    // What was just told here is among what was read: so its stamp says what time it is in the store.
    const storeMs = tellers.get(process)?.toldMs ?? clock.nowMs();
    storeAheadMs = storeMs - clock.nowMs();
    return aged(heard, storeMs);
  }

  return {
    exchange,
    // Only who has told something knows what time it is in the store.
    look: async () => (storeAheadMs === null ? exchange({}) : aged(await hear(), clock.nowMs() + storeAheadMs)),
  };
}
