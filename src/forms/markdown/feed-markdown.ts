import { frontMatter } from './front-matter.ts';
import { blocks, type ListedRelease, releaseSections } from './sections.ts';

export interface FeedInMarkdown {
  /** What the releases are of, by what it is: `{ org: 'acme' }`. */
  readonly of: Readonly<Record<string, string>>;
  readonly releases: readonly ListedRelease[];
  readonly nextCursor: string | null;
}

/** A page of a feed as a document (contract 16.4). */
export const feedMarkdown = ({ of, releases, nextCursor }: FeedInMarkdown): string => {
  const head = frontMatter({ ...of, returned: releases.length, next_cursor: nextCursor });
  return releases.length === 0 ? head : `${head}\n${blocks(...releaseSections(releases))}`;
};
