import type { FetchStatus } from '../ingest/fetch-delay.ts';
import { dayMs, toTimestamp } from '../kernel/dates.ts';
import { derivedId } from '../kernel/ids.ts';
import type { Document } from '../kernel/projection.ts';
import type { OperationalPut, OperationalStore } from '../ports/operational-store.ts';
import { newestContacts } from './newest-contacts.ts';

/** One contact with a source (contract 15.4); its names are looked up when it is shown. */
export interface FetchLogEntry extends Document {
  readonly sourceId: string;
  readonly releasesFound: number;
  readonly releasesInserted: number;
  /** Releases of the source after this run. */
  readonly totalReleases: number;
  readonly status: FetchStatus;
  /** Null where nothing was done. */
  readonly durationMs: number | null;
  readonly error: string | null;
  readonly createdMs: number;
  readonly createdAt: string;
}

export interface IngestRun {
  readonly commandId: string;
  readonly sourceId: string;
  readonly found: number;
  readonly inserted: number;
  readonly revised: number;
  readonly totalReleases: number;
  readonly startedMs: number;
  readonly endedMs: number;
}

/** What came in when; kept 90 days beside the events. */
export interface FetchLog {
  readonly recordIngest: (run: IngestRun) => Promise<void>;
  /** The newest entries of the sources that are wanted, newest first. */
  readonly newest: (wanted: WantedEntries) => Promise<readonly FetchLogEntry[]>;
  /** Of one source, the newest first. */
  readonly page: (page: FetchLogPage) => Promise<FetchLogEntry[]>;
  /** Of all sources, also those that are not there any more; null = with any status. */
  readonly newestOf: (status: FetchStatus | null, limit: number) => Promise<FetchLogEntry[]>;
}

export interface WantedEntries {
  readonly isWanted: (sourceId: string) => boolean;
  readonly limit: number;
  /** When each source was last in contact; asked only where others fill the log. */
  readonly lastContacts: () => Promise<ReadonlyMap<string, number>>;
}

export interface FetchLogPage {
  readonly sourceId: string;
  /** The keys of the last entry before: its time and its id. */
  readonly after?: readonly [createdMs: number, id: string];
  readonly limit: number;
}

export const fetchLogDeclaration = {
  name: 'fetch-log',
  indexes: { bySource: ['sourceId', 'createdMs'], byTime: ['createdMs'], byStatus: ['status', 'createdMs'] },
};

const keptMs = 90 * dayMs;
/** Most sources are seen by everybody, so the first step mostly finds what is wanted. */
const firstStepEntries = 50;
const stepEntriesMax = 1_000;
/** Where nearly all that came in is hidden, to ask for single sources costs less than to look further. */
const lookedAtMax = 1_000;
const sourcesAtOnce = 20;
/** Each of them may be newer than its entries: an attempt that was given up, or one that is under way. */
const sourcesMax = 200;
/** An entry is made when what came in can be seen, and its contact when it is stored. */
const entryAfterContactMsMax = 60_000;

export const fetchLogChange = (doc: FetchLogEntry): OperationalPut => ({
  kind: 'put',
  collection: fetchLogDeclaration.name,
  doc,
  expiresAtMs: doc.createdMs + keptMs,
});

const newestFirst = (a: FetchLogEntry, b: FetchLogEntry): number => b.createdMs - a.createdMs || (a.id < b.id ? 1 : -1);

export async function createFetchLog(ops: OperationalStore): Promise<FetchLog> {
  const entries = await ops.collection<FetchLogEntry>(fetchLogDeclaration);

  const page = async ({ sourceId, after, limit }: FetchLogPage): Promise<FetchLogEntry[]> => {
    const range = { index: 'bySource', equals: { sourceId }, ...(after && { after }), limit };
    return (await entries.query({ ...range, direction: 'descending' })).map(({ doc }) => doc);
  };

  /** With those of the sources that were in contact last, until no other can have a newer entry. */
  async function withEntriesBySource(
    newest: readonly FetchLogEntry[],
    { isWanted, limit, lastContacts }: WantedEntries,
  ): Promise<readonly FetchLogEntry[]> {
    const sources = newestContacts(await lastContacts(), isWanted, sourcesMax);
    let found = newest;
    for (let next = 0; next < sources.length; next += sourcesAtOnce) {
      const oldestMs = found[limit - 1]?.createdMs ?? Number.NEGATIVE_INFINITY;
      if (sources[next]![1] + entryAfterContactMsMax < oldestMs) break;
      const some = sources.slice(next, next + sourcesAtOnce);
      const pages = await Promise.all(some.map(([sourceId]) => page({ sourceId, limit })));
      const byId = new Map([...found, ...pages.flat()].map((entry) => [entry.id, entry]));
      found = [...byId.values()].sort(newestFirst).slice(0, limit);
    }
    return found;
  }

  return {
    page,
    recordIngest: async ({ commandId, sourceId, found, inserted, revised, totalReleases, startedMs, endedMs }) => {
      const doc: FetchLogEntry = {
        id: derivedId('fet', commandId), // a repeat of the same request is the same run
        sourceId,
        releasesFound: found,
        releasesInserted: inserted,
        totalReleases,
        status: inserted + revised > 0 ? 'success' : 'no_change',
        durationMs: Math.max(0, endedMs - startedMs),
        error: null,
        createdMs: endedMs,
        createdAt: toTimestamp(endedMs),
      };
      await ops.transact([fetchLogChange(doc)]);
    },
    newestOf: async (status, limit) => {
      const range = status === null ? { index: 'byTime', equals: {} } : { index: 'byStatus', equals: { status } };
      return (await entries.query({ ...range, direction: 'descending', limit })).map(({ doc }) => doc);
    },
    newest: async (wanted) => {
      const { isWanted, limit } = wanted;
      const found: FetchLogEntry[] = [];
      let after: readonly [number, string] | null = null;
      let lookedAt = 0;
      for (let step = firstStepEntries; ; step = Math.min(4 * step, stepEntriesMax)) {
        const page = { index: 'byTime', equals: {}, ...(after && { after }), limit: step };
        const rows = await entries.query({ ...page, direction: 'descending' });
        found.push(...rows.map(({ doc }) => doc).filter(({ sourceId }) => isWanted(sourceId)));
        const last = rows.at(-1)?.doc;
        lookedAt += rows.length;
        if (found.length >= limit || last === undefined || rows.length < step) return found.slice(0, limit);
        if (lookedAt >= lookedAtMax) return withEntriesBySource(found, wanted);
        after = [last.createdMs, last.id];
      }
    },
  };
}

const removedAtOnce = 500;

/** Of a source that is purged. */
export async function removeFetchLog(ops: OperationalStore, sourceId: string): Promise<void> {
  const entries = await ops.collection<FetchLogEntry>(fetchLogDeclaration);
  const collection = fetchLogDeclaration.name;
  for (;;) {
    const found = await entries.query({ index: 'bySource', equals: { sourceId }, limit: removedAtOnce });
    if (found.length > 0) await ops.transact(found.map(({ doc }) => ({ kind: 'delete', collection, id: doc.id })));
    if (found.length < removedAtOnce) return;
  }
}
