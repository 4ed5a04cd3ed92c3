import { type FeedRow, releaseFeedProjection } from '../../../projections/release-feed/release-feed.ts';
import type { Document, Projection } from '../../kernel/projection.ts';
import type { Clock } from '../../ports/clock.ts';
import type { IndexQuery, ReadModel, ReadModelSet } from '../../ports/read-models.ts';
import type { RunLater } from '../../ports/run-later.ts';

/** Longer ones are asked for by whoever goes through all. */
const pageRowsMax = 101;
/** Their rows have no long texts: together they take some megabytes at the most. */
const pagesMax = 32;
/** What was erased must not stay in memory until somebody asks again. */
const forgottenMs = 1_000;

export interface SharedPages {
  /** The same read models, of which those who ask at about the same time share the pages of the feed. */
  readonly of: (models: ReadModelSet) => ReadModelSet;
  /** The next page is read anew: somebody else has written. */
  readonly forget: () => void;
}

/**
 * Who sends a credential, or asks for another number of releases than others, gets an answer of his own; the rows at the
 * head of the feed are the same for all, and on a server to ask for them costs more than all the rest. They are no
 * older than the view that they are read with: while this process writes nothing, for a moment.
 */
export function createSharedPages(deps: {
  readonly clock: Clock;
  /** Changes with everything that the projector of this process writes. */
  readonly stamp: () => number;
  /** How late it may be noticed what others write. */
  readonly keptMs: number;
  readonly runLater: RunLater;
}): SharedPages {
  const { clock, stamp, keptMs, runLater } = deps;
  let pages = new Map<string, Promise<FeedRow[]>>();
  let begun = { stamp: stamp(), ms: Number.NEGATIVE_INFINITY };
  let isForgetting = false;
  const sharing = new WeakMap<ReadModelSet, ReadModelSet>();

  const forget = (): void => {
    pages = new Map();
  };

  function forgetLater(): void {
    if (isForgetting) return;
    isForgetting = true;
    runLater(forgottenMs, () => {
      isForgetting = false;
      forget();
    });
  }

  /** Those that are good now; a clock that was set back makes none of them so. */
  function goodPages(): Map<string, Promise<FeedRow[]>> {
    const nowMs = clock.nowMs();
    const ageMs = nowMs - begun.ms;
    const isGood = begun.stamp === stamp() && ageMs >= 0 && ageMs < keptMs;
    if (!isGood || pages.size >= pagesMax) {
      // The stamp first: what changes while a page is read is asked for again.
      begun = { stamp: stamp(), ms: nowMs };
      forget();
    }
    return pages;
  }

  function readOnce(model: ReadModel<FeedRow>, query: IndexQuery): Promise<FeedRow[]> {
    const known = goodPages();
    const key = JSON.stringify([model.declaration.generation, query]);
    const shared = known.get(key);
    if (shared !== undefined) return shared;
    const page = model.query(query);
    known.set(key, page);
    page.catch(() => known.delete(key)); // who waits for it is told; the next one tries again
    forgetLater();
    return page;
  }

  /** The bound of a feed is the present moment, which is another one for each who asks: so all ask up to the next step. */
  async function readShared(model: ReadModel<FeedRow>, query: IndexQuery): Promise<FeedRow[]> {
    const { index, equals, to, limit } = query;
    const bounded = model.declaration.indexes[index]?.[Object.keys(equals).length];
    if (typeof to !== 'number' || bounded !== 'publishedMs' || limit > pageRowsMax) return model.query(query);
    const rows = await readOnce(model, { ...query, to: Math.ceil(to / keptMs) * keptMs });
    const isAhead = rows.some(({ publishedMs }) => publishedMs !== null && publishedMs > to);
    return isAhead ? model.query(query) : [...rows];
  }

  function share(models: ReadModelSet): ReadModelSet {
    const feed = models.of(releaseFeedProjection);
    const shared: ReadModel<FeedRow> = { ...feed, query: (query) => readShared(feed, query) };
    return {
      of: <Doc extends Document>(projection: Projection<Doc>) =>
        // Under the name of a projection lies what its folds wrote.
        projection.name === releaseFeedProjection.name ? (shared as ReadModel<never>) : models.of(projection),
    };
  }

  return {
    of: (models) => {
      const known = sharing.get(models) ?? share(models);
      sharing.set(models, known);
      return known;
    },
    forget,
  };
}
