import type { Clock } from '../ports/clock.ts';
import { toTimestamp } from '../kernel/dates.ts';
import type { CollectionDeclaration, OperationalStore } from '../ports/operational-store.ts';
import { type FetchState, neverFetched } from './fetch-state.ts';
import {
  type ContactDocument,
  contactChange,
  contactChangesDeclaration,
  createLastFetches,
  type LastFetches,
} from './last-fetches.ts';

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

export async function createSourceContacts(ops: OperationalStore, clock: Clock): Promise<SourceContacts> {
  const contacts = await ops.collection<ContactDocument>(sourceContactsDeclaration);
  const lastFetches = createLastFetches({ contacts, changes: await ops.collection(contactChangesDeclaration), clock });
  const { name } = sourceContactsDeclaration;

  async function record(sourceId: string, changed: Partial<FetchState>): Promise<void> {
    for (;;) {
      const known = await contacts.get(sourceId);
      const before = known?.doc.state ?? neverFetched;
      const state = { ...before, ...changed, ...laterTimes(before, changed) };
      const doc: ContactDocument = { id: sourceId, state };
      // A contact of another kind keeps what it wrote meanwhile.
      const expected = known?.revision ?? 0;
      const put = { kind: 'put', collection: name, doc, expected } as const;
      if ((await ops.transact([put, contactChange(sourceId, state)])) === 'written') return;
    }
  }

  return {
    states: async (sourceIds) => {
      const found = await contacts.getMany(sourceIds);
      const states = new Map(found.map(({ doc }) => [doc.id, doc.state]));
      return sourceIds.map((id) => states.get(id) ?? neverFetched);
    },
    lastFetches,
    recordIngest: (sourceId, nowMs) => record(sourceId, { lastFetchedAt: toTimestamp(nowMs) }),
    recordFetch: (sourceId, nowMs) => {
      const at = toTimestamp(nowMs);
      const times = { lastPolledAt: at, lastFetchedAt: at, changeDetectedAt: at };
      return record(sourceId, { ...times, consecutiveNoChange: 0, consecutiveErrors: 0 });
    },
  };
}

/** Of a source that is purged. */
export async function removeSourceContact(ops: OperationalStore, sourceId: string): Promise<void> {
  await ops.collection<ContactDocument>(sourceContactsDeclaration);
  await ops.collection(contactChangesDeclaration);
  const names = [sourceContactsDeclaration.name, contactChangesDeclaration.name];
  await ops.transact(names.map((collection) => ({ kind: 'delete', collection, id: sourceId })));
}
