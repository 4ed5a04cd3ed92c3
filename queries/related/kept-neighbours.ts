import type { SearchHit } from '../../src/ports/search-index.ts';

interface Kept {
  readonly neighbours: readonly SearchHit[];
  readonly madeMs: number;
}

export interface KnownNeighbours {
  readonly neighbours: readonly SearchHit[];
  /** What is left of their time. */
  readonly goodForMs: number;
}

const keptMs = 5 * 60_000;
/** Of `neighboursMax` ids each; the oldest makes room. */
const keptMax = 1_000;

/**
 * Which are near to an anchor, for five minutes (contract 7.4). No more than their ids is kept: what is shown of them, and
 * whether it is, is read each time.
 */
export const createKeptNeighbours = () => {
  const kept = new Map<string, Kept>();
  return {
    /** Null where they must be asked for. */
    known: (key: string, nowMs: number): KnownNeighbours | null => {
      const found = kept.get(key);
      if (found === undefined) return null;
      const ageMs = nowMs - found.madeMs;
      const isGood = ageMs >= 0 && ageMs < keptMs; // a clock that was set back makes nothing young
      return isGood ? { neighbours: found.neighbours, goodForMs: keptMs - ageMs } : null;
    },
    keep: (key: string, neighbours: readonly SearchHit[], nowMs: number): KnownNeighbours => {
      kept.delete(key); // so that it becomes the newest
      kept.set(key, { neighbours, madeMs: nowMs });
      const [oldest] = kept.keys();
      if (kept.size > keptMax) kept.delete(oldest!);
      return { neighbours, goodForMs: keptMs };
    },
  };
};

export type KeptNeighbours = ReturnType<typeof createKeptNeighbours>;
