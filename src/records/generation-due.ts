import type { Document, KeyValue } from '../kernel/projection.ts';
import type { Lease } from '../ports/leases.ts';
import type { OperationalChange, OperationalStore } from '../ports/operational-store.ts';

export type DueKind = 'overview' | 'rolling' | 'month' | 'release';

/** Something that is to be written, or at least looked at, once its time has come. Gone when that is done. */
export interface DueContent extends Document {
  readonly kind: DueKind;
  /** Releases wait apart: so many a minute are enriched, and nothing else waits behind them. */
  readonly queue: 'texts' | 'releases';
  /** The org of an overview, the source of a summary, a release. */
  readonly ownerId: string;
  /** `YYYY-MM`, of a month only. */
  readonly month: string | null;
  readonly dueMs: number;
  /** Something may be in the text that nobody sees any more: it does not wait. */
  readonly isUrgent: boolean;
  /** In a row. */
  readonly failures: number;
}

/** What an event asks for. */
export type DueWish = Omit<DueContent, 'failures' | 'queue' | 'id'> & {
  /** How often it is written has changed: what waits by the old rule is looked at by the new one. */
  readonly hastens?: boolean;
};

const dueId = ({ kind, ownerId, month }: DueWish): string =>
  [kind, ownerId, month].filter((part) => part !== null).join(':');

/** It follows the events of one store, so it is not moved to another. */
export const generationDueDeclaration = { name: 'generation-due', indexes: { byDue: ['queue', 'dueMs'] } };

export interface GenerationDue {
  /** Those whose time has come, the longest due first. */
  readonly due: (queue: DueContent['queue'], nowMs: number, limit: number) => Promise<DueContent[]>;
  /** As changes, so that they are stored together with the place of whoever follows the events. */
  readonly wishes: (wanted: readonly DueWish[]) => Promise<OperationalChange[]>;
  /** False when the lease was lost. */
  readonly save: (row: DueContent, lease: Lease) => Promise<boolean>;
  readonly remove: (row: DueContent, lease: Lease) => Promise<boolean>;
}

/** What waits keeps its time, whatever is wanted meanwhile, unless that does not wait or puts another time in force. */
const merged = (known: DueContent | undefined, { hastens = false, ...wish }: DueWish): DueContent => {
  const queue = wish.kind === 'release' ? ('releases' as const) : ('texts' as const);
  if (known === undefined) return { ...wish, id: dueId(wish), queue, failures: 0 };
  if (!wish.isUrgent && !hastens) return known;
  return { ...known, isUrgent: known.isUrgent || wish.isUrgent, dueMs: Math.min(known.dueMs, wish.dueMs) };
};

export async function openGenerationDue(ops: OperationalStore): Promise<GenerationDue> {
  const rows = await ops.collection<DueContent>(generationDueDeclaration);
  const collection = generationDueDeclaration.name;
  const isWritten = async (change: OperationalChange, lease: Lease) =>
    (await ops.transact([change], lease)) !== 'stale_lease';

  return {
    due: async (queue, nowMs, limit) => {
      const found = await rows.query({ index: 'byDue', equals: { queue }, to: nowMs as KeyValue, limit });
      return found.map(({ doc }) => doc);
    },
    wishes: async (wanted) => {
      const byId = new Map<string, DueContent>();
      const stored = await rows.getMany([...new Set(wanted.map(dueId))]);
      const known = new Map(stored.map(({ doc }) => [doc.id, doc]));
      for (const wish of wanted) byId.set(dueId(wish), merged(byId.get(dueId(wish)) ?? known.get(dueId(wish)), wish));
      return [...byId.values()]
        .filter((row) => row !== known.get(row.id))
        .map((doc) => ({ kind: 'put' as const, collection, doc }));
    },
    save: (doc, lease) => isWritten({ kind: 'put', collection, doc }, lease),
    remove: ({ id }, lease) => isWritten({ kind: 'delete', collection, id }, lease),
  };
}
