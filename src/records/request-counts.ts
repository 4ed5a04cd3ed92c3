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

  return {
    exchange: async (counts) => {
      await tell(counts);
      const read = await readNewest();
      // By turns: what was told within a millisecond is read in any order, and the last one must be remembered.
      const unheard = read
        .filter((doc) => doc.turn > (tellers.get(doc.process)?.turn ?? 0))
        .sort((a, b) => a.turn - b.turn);
      for (const doc of unheard) tellers.set(doc.process, doc);
      // What was just told here is among it: so its stamp says what time it is in the store.
      const storeMs = tellers.get(process)?.toldMs ?? clock.nowMs();
      seenMs = storeMs;
      tellers = new Map([...tellers].filter(([, { toldMs }]) => storeMs - toldMs <= keptMs));
      return unheard
        .filter((doc) => doc.process !== process)
        .map((doc) => ({ ageMs: storeMs - doc.toldMs, counts: doc.counts }));
    },
  };
}
