import { createSingleFlight } from '../concurrency/single-flight.ts';
import type { Clock } from '../ports/clock.ts';
import type { Document } from '../kernel/projection.ts';
import type { CollectionDeclaration, OperationalCollection, OperationalPut } from '../ports/operational-store.ts';
import type { FetchState, FetchTrouble } from './fetch-state.ts';
import { createFetchTimes, type LastFetches } from './fetch-times.ts';

export interface ContactDocument extends Document {
  readonly state: FetchState;
  /** Absent in those that were stored before failures were counted. */
  readonly trouble?: FetchTrouble;
}

export interface ContactChange extends Document {
  readonly lastFetchedAt: string | null;
  /** Absent in those that were stored before it was told. */
  readonly lastPolledAt?: string | null;
  /** By the clock of the store, which is one for all processes. */
  readonly changedMs: number;
}

/** Which contacts changed when: one document for each source, so that a process need not read all of them to know. */
export const contactChangesDeclaration: CollectionDeclaration = {
  name: 'contact-changes',
  indexes: { byChange: ['changedMs'] },
};

/** Goes with every write of a contact. */
export const contactChange = (sourceId: string, { lastFetchedAt, lastPolledAt }: FetchState): OperationalPut => {
  const doc: ContactChange = { id: sourceId, lastFetchedAt, lastPolledAt, changedMs: 0 };
  return { kind: 'put', collection: contactChangesDeclaration.name, doc, stampsMs: { changedMs: 0 } };
};

/** What is written together may be seen a moment later than what is stamped after it. */
const overlapMs = 10_000;
const rowsAtOnce = 500;
/**
 * How late it may be noticed what no change tells of: contacts that an older version writes during a deployment, or that a
 * store stamped by a clock which was set back, and sources that were purged.
 */
const readAnewMs = 10 * 60_000;

type ContactTimes = Pick<ContactChange, 'lastFetchedAt' | 'lastPolledAt'>;

interface Noted {
  readonly set: (sourceId: string, ms: number) => unknown;
  readonly setContact: (sourceId: string, ms: number) => unknown;
}

interface LastFetchesDeps {
  readonly contacts: OperationalCollection<ContactDocument>;
  readonly changes: OperationalCollection<ContactChange>;
  readonly clock: Clock;
}

/**
 * All contacts in memory, read now and then and caught up with: with 10,000 sources reading them for each answer would be
 * most of what it costs. A call knows everything that any process of this version wrote before it.
 */
export const createLastFetches = ({ contacts, changes, clock }: LastFetchesDeps): (() => Promise<LastFetches>) => {
  const fetches = createFetchTimes();
  let loadedMs = Number.NEGATIVE_INFINITY;
  let lookedMs = Number.NEGATIVE_INFINITY;
  /** The stamp up to which changes are known, and never later than the look: a stamp from the future must not end the looks. */
  let seenMs: number | null = null;
  let seenSinceMs = Number.NEGATIVE_INFINITY;
  /**
   * Whether a look began so long after the stamp was seen that it found what is seen late, too. From then on only later ones
   * are read: of thousands of sources that were in contact at once, no answer reads them again.
   */
  let isSettled = false;

  const note = (known: Noted, sourceId: string, { lastFetchedAt, lastPolledAt = null }: ContactTimes) => {
    const times = [lastFetchedAt, lastPolledAt].flatMap((at) => (at === null ? [] : Date.parse(at)));
    if (lastFetchedAt !== null) known.set(sourceId, Date.parse(lastFetchedAt));
    if (times.length > 0) known.setContact(sourceId, Math.max(...times));
  };

  const readAll = async () => {
    const [all, allContacts] = [new Map<string, number>(), new Map<string, number>()];
    const known: Noted = {
      set: (sourceId, ms) => all.set(sourceId, ms),
      setContact: (sourceId, ms) => allContacts.set(sourceId, ms),
    };
    for (let afterId = ''; ; ) {
      const rows = await contacts.scan(afterId, rowsAtOnce);
      for (const { doc } of rows) note(known, doc.id, doc.state);
      const last = rows.at(-1);
      if (last === undefined || rows.length < rowsAtOnce) return [all, allContacts] as const;
      afterId = last.doc.id;
    }
  };

  const catchUp = async () => {
    const nowMs = clock.nowMs();
    const isSetBack = nowMs < lookedMs; // what comes is stamped below what was seen
    // What changes while all are read is among the changes, which are looked at afterwards.
    if (isSetBack || nowMs - loadedMs >= readAnewMs) {
      fetches.replace(...(await readAll()));
      loadedMs = nowMs;
      if (isSetBack) seenMs = null;
    }
    lookedMs = nowMs;
    const from = seenMs === null ? {} : { from: isSettled ? seenMs + 1 : seenMs - overlapMs };
    let lastMs = seenMs;
    for (let after: readonly [number, string] | null = null; ; ) {
      const page = { index: 'byChange', equals: {}, ...from, ...(after && { after }), limit: rowsAtOnce };
      const rows = await changes.query(page);
      for (const { doc } of rows) note(fetches, doc.id, doc);
      const last = rows.at(-1);
      if (last !== undefined) lastMs = Math.min(nowMs, last.doc.changedMs);
      if (last === undefined || rows.length < rowsAtOnce) break;
      after = [last.doc.changedMs, last.doc.id];
    }
    if (lastMs === seenMs) {
      isSettled ||= nowMs - seenSinceMs >= overlapMs;
      return;
    }
    seenMs = lastMs;
    seenSinceMs = nowMs;
    isSettled = false;
  };

  const caughtUp = createSingleFlight(catchUp);
  return async () => {
    await caughtUp();
    return fetches.reads;
  };
};
