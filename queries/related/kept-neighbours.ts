import type { SearchHit } from '../../src/ports/search-index.ts';

interface Kept {
  readonly neighbours: readonly SearchHit[];
  readonly madeMs: number;
}

const keptMs = 5 * 60_000;
/** Of a hundred ids each; the oldest makes room. */
const keptMax = 1_000;

/**
 * Which are near to an anchor, for five minutes (contract 7.4). No more than their ids is kept: what is shown of them, and
 * whether it is, is read each time.
 */
export const createKeptNeighbours = () => {
  const kept = new Map<string, Kept>();
  return {
    /** Null where they must be asked for. */
    known: (key: string, nowMs: number): readonly SearchHit[] | null => {
      const found = kept.get(key);
      if (found === undefined) return null;
      const ageMs = nowMs - found.madeMs;
      return ageMs >= 0 && ageMs < keptMs ? found.neighbours : null; // a clock that was set back makes nothing young
    },
    keep: (key: string, neighbours: readonly SearchHit[], nowMs: number): void => {
      kept.delete(key); // so that it becomes the newest
      kept.set(key, { neighbours, madeMs: nowMs });
      const [oldest] = kept.keys();
      if (kept.size > keptMax) kept.delete(oldest!);
    },
  };
};

export type KeptNeighbours = ReturnType<typeof createKeptNeighbours>;
