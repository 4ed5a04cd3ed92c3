import { createShortTurns } from '../../concurrency/short-turns.ts';
import type { Clock } from '../../ports/clock.ts';
import { frontMatter } from './front-matter.ts';
import { blocks, type ListedRelease, releaseSection } from './sections.ts';

export interface FeedInMarkdown {
  /** What the releases are of, by what it is: `{ org: 'acme' }`. */
  readonly of: Readonly<Record<string, string>>;
  readonly releases: readonly ListedRelease[];
  readonly nextCursor: string | null;
}

/** A page of a feed as a document (contract 16.4). Long texts take long to look through, so others have a turn in between. */
export const feedMarkdown = async ({ of, releases, nextCursor }: FeedInMarkdown, clock: Clock): Promise<string> => {
  const head = frontMatter({ ...of, returned: releases.length, next_cursor: nextCursor });
  if (releases.length === 0) return head;
  const turn = createShortTurns(clock);
  const parts: string[] = [];
  for (const release of releases) {
    parts.push(...releaseSection(release));
    await turn();
  }
  return `${head}\n${blocks(...parts)}`;
};
