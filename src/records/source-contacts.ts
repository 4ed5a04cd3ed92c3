import { createBatchedCalls } from '../concurrency/batched-calls.ts';
import type { Clock } from '../ports/clock.ts';
import { toTimestamp } from '../kernel/dates.ts';
import type { CollectionDeclaration, OperationalChange, OperationalStore, Stored } from '../ports/operational-store.ts';
import { type FetchState, type FetchTrouble, neverFetched, noTrouble } from './fetch-state.ts';
import type { LastFetches } from './fetch-times.ts';
import { type ContactDocument, contactChange, contactChangesDeclaration, createLastFetches } from './last-fetches.ts';

/** How contact with each source went: bookkeeping beside the events. */
export interface SourceContacts {
  /** Of each of these sources, in the same order; read anew each time: any process may be in contact with them. */
  readonly states: (sourceIds: readonly string[]) => Promise<FetchState[]>;
  /** Of all sources, as of this call. */
  readonly lastFetches: () => Promise<LastFetches>;
  /** Somebody sent releases for the source (contract 15.2). */
  readonly recordIngest: (sourceId: string, nowMs: number) => Promise<void>;
  /** We asked for its releases, and something was new. */
  readonly recordFetch: (sourceId: string, nowMs: number) => Promise<void>;
  /** It is asked as often as this says from now on. */
  readonly recordRetier: (sourceId: string, nowMs: number) => Promise<void>;
}

export const sourceContactsDeclaration: CollectionDeclaration = { name: 'source-contacts', indexes: {} };

const times = ['lastFetchedAt', 'lastPolledAt', 'changeDetectedAt'] as const;

/** Of two processes the one with the earlier moment may write last, but not by more than this. */
const lateWriteMsMax = 5 * 60_000;

/** A time that lies further ahead is from a clock that was wrong, and would stay until that day. */
const laterTimes = (before: FetchState, changed: Partial<FetchState>): Partial<FetchState> =>
  Object.fromEntries(
    times.flatMap((name) => {
      const [was, is] = [before[name], changed[name]];
      if (was === null || is == null) return [];
      const aheadMs = Date.parse(was) - Date.parse(is);
      return aheadMs > 0 && aheadMs <= lateWriteMsMax ? [[name, was]] : [];
    }),
  );

interface ContactChanges {
  readonly state: Partial<FetchState>;
  readonly trouble?: FetchTrouble;
}

type KnownContact = Stored<ContactDocument> | null;

const changedContact = (
  sourceId: string,
  known: ContactDocument | undefined,
  { state: changed, trouble = known?.trouble ?? noTrouble }: ContactChanges,
): ContactDocument => {
  const before = known?.state ?? neverFetched;
  return { id: sourceId, state: { ...before, ...changed, ...laterTimes(before, changed) }, trouble };
};

/** What it takes to change the contact with a source that was found so; nothing is written over what others wrote since. */
export function contactChanges(sourceId: string, known: KnownContact, ...all: ContactChanges[]): OperationalChange[] {
  const doc = all.reduce<ContactDocument | undefined>(
    (before, changes) => changedContact(sourceId, before, changes),
    known?.doc,
  )!;
  const expected = known?.revision ?? 0;
  const put = { kind: 'put', collection: sourceContactsDeclaration.name, doc, expected } as const;
  return [put, contactChange(sourceId, doc.state)];
}

interface Contacted {
  readonly sourceId: string;
  readonly changes: ContactChanges;
}

/** So many are written at once. */
const contactsMax = 100;

export async function createSourceContacts(ops: OperationalStore, clock: Clock): Promise<SourceContacts> {
  const contacts = await ops.collection<ContactDocument>(sourceContactsDeclaration);
  const lastFetches = createLastFetches({ contacts, changes: await ops.collection(contactChangesDeclaration), clock });

  /** Of each source in their order. */
  async function recordAll(bySource: ReadonlyMap<string, readonly ContactChanges[]>): Promise<void> {
    const found = await contacts.getMany([...bySource.keys()]);
    const known = new Map(found.map((contact) => [contact.doc.id, contact]));
    const all = [...bySource].flatMap(([sourceId, own]) =>
      contactChanges(sourceId, known.get(sourceId) ?? null, ...own),
    );
    if ((await ops.transact(all)) === 'written') return;
    // A contact of another kind keeps what it wrote meanwhile; one that is written all the time must not hold up the others.
    for (const one of bySource) await recordAll(new Map([one]));
  }

  // Whoever sends much for one source at once would be in the way of itself.
  const recordTogether = createBatchedCalls<Contacted, void>(async (contacted) => {
    const bySource = new Map<string, ContactChanges[]>();
    for (const { sourceId, changes } of contacted) {
      bySource.set(sourceId, [...(bySource.get(sourceId) ?? []), changes]);
    }
    await recordAll(bySource);
    return contacted.map(() => undefined);
  }, contactsMax);
  const record = (sourceId: string, changes: ContactChanges) => recordTogether({ sourceId, changes });

  return {
    states: async (sourceIds) => {
      const found = await contacts.getMany(sourceIds);
      const states = new Map(found.map(({ doc }) => [doc.id, doc.state]));
      return sourceIds.map((id) => states.get(id) ?? neverFetched);
    },
    lastFetches,
    recordIngest: (sourceId, nowMs) => record(sourceId, { state: { lastFetchedAt: toTimestamp(nowMs) } }),
    recordFetch: (sourceId, nowMs) => {
      const at = toTimestamp(nowMs);
      const times = { lastPolledAt: at, lastFetchedAt: at, changeDetectedAt: at };
      const state = { ...times, consecutiveNoChange: 0, consecutiveErrors: 0 };
      return record(sourceId, { state, trouble: noTrouble });
    },
    recordRetier: (sourceId, nowMs) => record(sourceId, { state: { lastRetieredAt: toTimestamp(nowMs) } }),
  };
}

/** Of a source that is purged. */
export async function removeSourceContact(ops: OperationalStore, sourceId: string): Promise<void> {
  await ops.collection<ContactDocument>(sourceContactsDeclaration);
  await ops.collection(contactChangesDeclaration);
  const names = [sourceContactsDeclaration.name, contactChangesDeclaration.name];
  await ops.transact(names.map((collection) => ({ kind: 'delete', collection, id: sourceId })));
}
