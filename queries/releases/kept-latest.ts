import { releaseFeedProjection } from '../../projections/release-feed/release-feed.ts';
import { dueUntilMs } from '../../src/domain/release/visible.ts';
import type { RunLater } from '../../src/ports/run-later.ts';
import type { QueryDeps } from '../shape/query-deps.ts';

interface Kept {
  /** JSON. */
  readonly answer: Buffer;
  readonly models: QueryDeps['models'];
  /** What had been seen when it was made. */
  readonly seen: string;
  readonly madeMs: number;
  /** The date of the next release that appears by itself; null without one. */
  readonly nextMs: number | null;
}

const keptMs = 5 * 60_000;

type Deps = Pick<QueryDeps, 'models' | 'catalogue'>;

const seenBy = async ({ models, catalogue }: Deps): Promise<string> =>
  `${catalogue.seen()} ${await models.of(releaseFeedProjection).checkpoint()}`;

/** Those that are not shown by themselves are no reason to make the list again. */
const nextDueMs = async ({ models }: Deps, nowMs: number): Promise<number | null> => {
  const ahead = { index: 'global', equals: { lane: 'stable' }, from: dueUntilMs(nowMs) + 1, limit: 1 };
  const [next] = await models.of(releaseFeedProjection).query(ahead);
  return next?.publishedMs ?? null;
};

/**
 * The list that everybody asks for, kept while nothing is projected and nothing becomes due, for five minutes at most
 * (contract 6.1). It goes by itself then: what was erased meanwhile must not stay in memory until somebody asks again.
 */
export const createKeptLatest = (runLater: RunLater) => {
  let kept: Kept | null = null;

  const isGood = ({ models, seen, madeMs, nextMs }: Kept, deps: Deps, seenNow: string, nowMs: number): boolean =>
    models === deps.models &&
    seen === seenNow &&
    nowMs >= madeMs && // a clock that was set back makes it neither young nor good
    nowMs - madeMs < keptMs &&
    (nextMs === null || nextMs > dueUntilMs(nowMs));

  return async (deps: Deps, nowMs: number, make: () => Promise<Buffer>) => {
    // Before the list is made: what is projected meanwhile makes it old.
    const seen = await seenBy(deps);
    if (kept !== null && isGood(kept, deps, seen, nowMs)) return { answer: kept.answer, isHit: true };
    kept = null;
    const nextMs = await nextDueMs(deps, nowMs);
    const answer = await make();
    const made: Kept = { answer, models: deps.models, seen, madeMs: nowMs, nextMs };
    kept = made;
    runLater(keptMs, () => {
      if (kept === made) kept = null;
    });
    return { answer, isHit: false };
  };
};

export type KeptLatest = ReturnType<typeof createKeptLatest>;
