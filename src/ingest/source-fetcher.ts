import type { SourceType } from '../domain/enumerations.ts';
import type { ReleaseItem } from '../domain/release/fields.ts';

/** What the last fetch of a source leaves for its next one: validators, where a feed has moved to. Small. */
export type FetchMemory = Readonly<Record<string, string | number | boolean | null>>;

export interface SourceToFetch {
  readonly id: string;
  readonly type: SourceType;
  readonly url: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Empty at first; without what was seen when everything is to be read again. */
  readonly memory: FetchMemory;
}

/** An entry that no item could be made of; the others go in all the same. */
export interface LeftOutEntry {
  /** Its title, address or place, as far as there is one. */
  readonly entry: string;
  /** One sentence for an operator. */
  readonly reason: string;
}

/** A changelog file as it stands at the third party now. */
export interface FetchedChangelog {
  readonly path: string;
  readonly content: string;
  /** The file is longer: only its beginning is here. */
  readonly truncated: boolean;
  readonly url: string | null;
  readonly rawUrl: string | null;
}

export interface FetchedSource {
  /** False when the third party said that nothing is new since `memory` (304); then there are no items. */
  readonly isNew: boolean;
  /** The newest first, as far as the third party tells. */
  readonly items: readonly ReleaseItem[];
  readonly leftOut: readonly LeftOutEntry[];
  /** Replaces the memory of the fetch before, once everything was stored. */
  readonly memory: FetchMemory;
  /** Files that were read anew. */
  readonly changelogs: readonly FetchedChangelog[];
  /** Where the third party counts them, and they were read anew. */
  readonly stars: number | null;
  /** Of an app, where it tells. */
  readonly iconUrl: string | null;
}

/** Reads what a third party tells about the releases of a source; one for each way of fetching (contract 15.1). */
export interface SourceFetcher {
  /** Ends before `deadlineMs`. Throws FetchFailed. */
  readonly fetch: (source: SourceToFetch, deadlineMs: number) => Promise<FetchedSource>;
}
