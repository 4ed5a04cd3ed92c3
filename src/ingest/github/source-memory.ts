import { z } from 'zod';
import type { FetchMemory } from '../source-fetcher.ts';
import type { SeenReleases } from './read-releases.ts';

/** What one fetch of a repository leaves for the next. */
export interface RepositoryMemory extends SeenReleases {
  /** As the source names it: of another repository nothing is known. */
  readonly coordinate: string;
  /** As it was called last; its old name may be somebody else's by now. */
  readonly name: string;
  /** When stars and the changelog file were read. */
  readonly dailyAtMs: number;
  readonly changelogPath: string | null;
  readonly changelogEtag: string | null;
  /** By which the file was outlined. */
  readonly outlineRule: number;
}

const etagCharsMax = 200;
const etag = z.string().max(etagCharsMax).nullable().catch(null);

const stored = z.object({
  coordinate: z.string(),
  name: z.string(),
  dailyAtMs: z.number(),
  perPage: z.int().min(1).max(100),
  etag,
  newestTag: z.string().nullable(),
  changelogPath: z.string().nullable(),
  changelogEtag: etag,
  outlineRule: z.int().catch(1),
});

/** Null when there is none, or none of this repository. */
export function recallRepository(memory: FetchMemory, coordinate: string): RepositoryMemory | null {
  const parsed = stored.safeParse(memory);
  return parsed.success && parsed.data.coordinate === coordinate ? parsed.data : null;
}

/** A validator that is too long to be kept is none. */
const keptEtag = (value: string | null): string | null =>
  value !== null && value.length > etagCharsMax ? null : value;

export const rememberRepository = (memory: RepositoryMemory): FetchMemory => ({
  ...memory,
  etag: keptEtag(memory.etag),
  changelogEtag: keptEtag(memory.changelogEtag),
});
