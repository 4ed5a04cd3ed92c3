import type { ReleaseItem } from '../../domain/release/fields.ts';

export interface FetchedRepository {
  /** As the third party spells it now: what was asked for may have moved. */
  readonly coordinate: string;
  /** The newest first; empty when there is nothing to tell about. */
  readonly items: readonly ReleaseItem[];
  /** Releases that no item could be made of. */
  readonly leftOut: number;
}

/** Reads, for a lookup, what there is to know about a repository that may not be a source yet. */
export interface RepositoryFetcher {
  /** Null when there is no such repository. Throws FetchFailed. */
  readonly fetch: (coordinate: string) => Promise<FetchedRepository | null>;
}
