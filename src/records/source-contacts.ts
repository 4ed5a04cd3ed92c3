import { toTimestamp } from '../kernel/dates.ts';
import type { OperationalStore } from '../ports/operational-store.ts';
import { type FetchState, neverFetched } from './fetch-state.ts';
import { type FollowedDocument, followCollection, followedDeclaration } from './followed-collection.ts';

interface ContactDocument extends FollowedDocument {
  readonly state: FetchState;
}

/** How contact with each source went: bookkeeping beside the events. */
export interface SourceContacts {
  readonly state: (sourceId: string) => FetchState | undefined;
  readonly refresh: () => Promise<void>;
  /** Somebody sent releases for the source (contract 15.2). */
  readonly recordIngest: (sourceId: string, nowMs: number) => Promise<void>;
}

export const sourceContactsDeclaration = followedDeclaration('source-contacts');

export async function createSourceContacts(ops: OperationalStore): Promise<SourceContacts> {
  const documents = await followCollection<ContactDocument>(ops, sourceContactsDeclaration);
  return {
    state: (sourceId) => documents.get(sourceId)?.state,
    refresh: documents.refresh,
    recordIngest: (sourceId, nowMs) =>
      documents.put({
        id: sourceId,
        updatedMs: nowMs,
        state: { ...(documents.get(sourceId)?.state ?? neverFetched), lastFetchedAt: toTimestamp(nowMs) },
      }),
  };
}
