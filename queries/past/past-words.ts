import { type FeedRow, releaseFeedProjection } from '../../projections/release-feed/release-feed.ts';
import { createShortTurns } from '../../src/concurrency/short-turns.ts';
import { searchedTitle } from '../../src/search/words/searched-title.ts';
import { textWith } from '../../src/search/words/text-with.ts';
import { fitting } from '../feed/release-feed-answer.ts';
import { type FeedWords, wantedInFeed } from '../feed/matching-page.ts';
import { documentsAt } from './documents-at.ts';
import type { PastDeps } from './past-deps.ts';
import { pastReleases, pastTexts } from './past-releases.ts';

/** Texts that are held at a time, however many rows of a batch have changed since. */
const readAtOnce = 32;
const charsAtOnce = 1_000_000;

/**
 * Which of some rows had the words at a moment. What has not changed since says today what it said then, and the index knows
 * that; the others are read as they were.
 */
export const rowsSaying = (
  deps: PastDeps,
  words: Pick<FeedWords, 'index' | 'tokens'> | null,
  atMs: number,
): ((rows: readonly FeedRow[]) => Promise<readonly FeedRow[]>) => {
  if (words === null) return async (rows) => rows;
  const { index, tokens } = words;
  if (index === null) return async () => [];
  const hasAll = textWith(tokens);
  const mayGoOn = createShortTurns(deps.clock);

  const unchangedSaying = async (ids: readonly string[]): Promise<ReadonlySet<string>> =>
    ids.length === 0 ? new Set() : index.matching('release', ids, wantedInFeed(tokens));

  /** A long text takes some milliseconds: others have their turn in between. */
  const someSaying = async (ids: readonly string[]): Promise<string[]> => {
    const then = await documentsAt(deps, pastReleases, ids, atMs);
    const texts = await pastTexts(deps, [...then.values()]);
    const saying: string[] = [];
    for (const release of then.values()) {
      const text = texts.get(release.id);
      if (text !== undefined && hasAll(`${searchedTitle(release)}\n${text}`)) saying.push(release.id);
      await mayGoOn();
    }
    return saying;
  };

  /** As long as they were then. */
  const changedSaying = async (rows: readonly FeedRow[]): Promise<string[]> => {
    const saying: string[] = [];
    for (let left = rows; left.length > 0; ) {
      const some = fitting(left.slice(0, readAtOnce), charsAtOnce);
      saying.push(...(await someSaying(some.map(({ id }) => id))));
      left = left.slice(some.length);
    }
    return saying;
  };

  return async (rows) => {
    const today = await deps.models.of(releaseFeedProjection).get(rows.map(({ id }) => id));
    const unchanged = new Set(today.filter(({ changedMs }) => changedMs <= atMs).map(({ id }) => id));
    const changed = new Set(today.filter(({ changedMs }) => changedMs > atMs).map(({ id }) => id));
    const saying = new Set([
      ...(await unchangedSaying([...unchanged])),
      ...(await changedSaying(rows.filter(({ id }) => changed.has(id)))),
    ]);
    return rows.filter(({ id }) => saying.has(id));
  };
};
