import type { FetchMemory } from '../../ingest/source-fetcher.ts';
import { toTimestamp } from '../../kernel/dates.ts';
import type { OperationalChange, OperationalStore, Stored } from '../../ports/operational-store.ts';
import { type FetchLogEntry, fetchLogChange, fetchLogDeclaration } from '../fetch-log.ts';
import { type FetchState, type FetchTrouble, neverFetched, noTrouble } from '../fetch-state.ts';
import { type ContactDocument, contactChangesDeclaration } from '../last-fetches.ts';
import { contactChanges, sourceContactsDeclaration } from '../source-contacts.ts';
import { type Contact, contactAfter } from './contact-after.ts';
import { fetchMemoriesDeclaration, memoryChange } from './fetch-memories.ts';
import { type FetchTurn, fetchTurnsDeclaration, freeTurn, newTurn } from './fetch-turn.ts';
import type { TakenTurn } from './fetch-turns.ts';

/** How fetching a source stands. */
export interface FetchStanding {
  readonly state: FetchState;
  readonly trouble: FetchTrouble;
}

export interface FetchEnd {
  readonly entry: FetchLogEntry;
  /** Null when nothing but the entry is to be stored. */
  readonly contact: Contact | null;
  /** Replaces the one before; null keeps it. */
  readonly memory: FetchMemory | null;
  /** Where it was asked for; null where nobody was asked. */
  readonly host: string | null;
}

/** Everything that is written about a source when its turn is over, or when it gets one: always together. */
export interface FetchOutcomes {
  readonly standingOf: (sourceId: string) => Promise<FetchStanding>;
  /** Ends a turn. Null, and nothing written, when the turn was lost. */
  readonly end: (taken: TakenTurn, end: FetchEnd) => Promise<FetchStanding | null>;
  /** From now on these are fetched so. One that is already is left alone. */
  readonly schedule: (wanted: readonly WantedSchedule[]) => Promise<void>;
}

export interface WantedSchedule {
  readonly sourceId: string;
  /** When it is fetched by schedule for the first time; null where it is fetched only when somebody asks. */
  readonly firstMs: number | null;
}

const turnPut = (doc: FetchTurn, known: Stored<FetchTurn> | null): OperationalChange => ({
  kind: 'put',
  collection: fetchTurnsDeclaration.name,
  doc,
  expected: known?.revision ?? 0,
});

interface Found {
  readonly turn: Stored<FetchTurn> | null;
  readonly contact: Stored<ContactDocument> | null;
}

/**
 * The turn where it belongs now. While it is taken it is due when the claim is over, as always: who has it gives it back,
 * and where that process has died, the next one finds it.
 */
function movedTurn(turn: FetchTurn): FetchTurn {
  const { claim, dueMs } = turn;
  return { ...freeTurn(turn), ...(claim !== null && { claim, dueMs }) };
}

const timeOrNull = (ms: number | null): string | null => (ms === null ? null : toTimestamp(ms));

export async function openFetchOutcomes(ops: OperationalStore): Promise<FetchOutcomes> {
  const turns = await ops.collection<FetchTurn>(fetchTurnsDeclaration);
  const contacts = await ops.collection<ContactDocument>(sourceContactsDeclaration);
  await ops.collection(contactChangesDeclaration);
  await ops.collection(fetchMemoriesDeclaration);
  await ops.collection(fetchLogDeclaration);

  const standing = (known: Stored<ContactDocument> | null): FetchStanding => ({
    state: known?.doc.state ?? neverFetched,
    trouble: known?.doc.trouble ?? noTrouble,
  });

  /** Tries until nobody else writes between the look and the change. */
  async function together<Answer>(
    sourceId: string,
    decide: (
      turn: Found['turn'],
      contact: Found['contact'],
    ) => { readonly answer: Answer; readonly changes: readonly OperationalChange[] },
  ): Promise<Answer> {
    for (;;) {
      const [turn, contact] = await Promise.all([turns.get(sourceId), contacts.get(sourceId)]);
      const { answer, changes } = decide(turn, contact);
      if (changes.length === 0 || (await ops.transact(changes)) === 'written') return answer;
    }
  }

  const scheduled = (sourceId: string, firstMs: number, { turn: known, contact }: Found): OperationalChange[] => {
    const turn = known?.doc ?? newTurn(sourceId);
    if (turn.isScheduled) return [];
    const next = movedTurn({ ...turn, isScheduled: true, scheduledMs: firstMs });
    // Somebody wants it fetched again: failures of before must not pause it after the next one.
    const state = { nextFetchAfter: toTimestamp(firstMs), consecutiveErrors: 0 };
    const trouble = { ...standing(contact).trouble, sinceMs: null };
    return [turnPut(next, known), ...contactChanges(sourceId, contact, { state, trouble })];
  };

  const unscheduled = (sourceId: string, { turn: known, contact }: Found): OperationalChange[] => {
    if (known === null || !known.doc.isScheduled) return [];
    const next = movedTurn({ ...known.doc, isScheduled: false, scheduledMs: null });
    const state = { nextFetchAfter: null };
    return [turnPut(next, known), ...(contact === null ? [] : contactChanges(sourceId, contact, { state }))];
  };

  async function schedule(wanted: readonly WantedSchedule[]): Promise<void> {
    const ids = wanted.map(({ sourceId }) => sourceId);
    const [foundTurns, foundContacts] = await Promise.all([turns.getMany(ids), contacts.getMany(ids)]);
    const turnOf = new Map(foundTurns.map((turn) => [turn.doc.id, turn]));
    const contactOf = new Map(foundContacts.map((contact) => [contact.doc.id, contact]));
    const changes = wanted.flatMap(({ sourceId, firstMs }) => {
      const found = { turn: turnOf.get(sourceId) ?? null, contact: contactOf.get(sourceId) ?? null };
      return firstMs === null ? unscheduled(sourceId, found) : scheduled(sourceId, firstMs, found);
    });
    if (changes.length === 0 || (await ops.transact(changes)) === 'written') return;
    // One that is written all the time must not hold up the others.
    for (const each of wanted) await schedule([each]);
  }

  return {
    standingOf: async (sourceId) => standing(await contacts.get(sourceId)),

    end: ({ sourceId, claimId, runId }, { entry, contact, memory, host }) =>
      together<FetchStanding | null>(sourceId, (turn, known) => {
        // Also when the source was purged meanwhile: nothing of it may come back.
        if (turn?.doc.claim?.id !== claimId) return { answer: null, changes: [] };
        const before = standing(known);
        const after = contact && contactAfter(before.state, before.trouble, contact);
        const { isScheduled, scheduledMs: wasMs } = turn.doc;
        const scheduledMs = isScheduled ? (after?.nextMs ?? wasMs) : null;
        const job = turn.doc.job?.id === runId ? null : turn.doc.job;
        const state = after && { ...after.state, nextFetchAfter: timeOrNull(scheduledMs) };
        return {
          answer: after === null ? before : { state: { ...before.state, ...state }, trouble: after.trouble },
          changes: [
            ...(after === null ? [] : contactChanges(sourceId, known, { state: { ...state }, trouble: after.trouble })),
            ...(memory === null ? [] : [memoryChange(sourceId, memory)]),
            fetchLogChange(entry),
            turnPut(freeTurn({ ...turn.doc, scheduledMs, job, ...(host !== null && { host }) }), turn),
          ],
        };
      }),

    schedule,
  };
}

/** Of a source that is purged. The turn goes first: who still fetches it finds that it has lost it. */
export async function removeFetchTurn(ops: OperationalStore, sourceId: string): Promise<void> {
  await ops.collection(fetchTurnsDeclaration);
  await ops.collection(fetchMemoriesDeclaration);
  const names = [fetchTurnsDeclaration.name, fetchMemoriesDeclaration.name];
  await ops.transact(names.map((collection) => ({ kind: 'delete', collection, id: sourceId })));
}
