export interface PageSizeBounds {
  /** How many the first page holds, before it is known how large they are. */
  readonly first: number;
  readonly countMax: number;
  /** What a page holds, about. */
  readonly bytesMax: number;
}

export interface PageSize {
  /** How many to ask for next. */
  readonly count: () => number;
  /** To be told what came. */
  readonly saw: (count: number, bytes: number) => void;
}

/** A page twice as large as the last one shows soon enough that things are small; a larger leap could meet large ones. */
const growth = 2;

/** Pages of things whose size nobody knows beforehand: they begin small and follow what was seen. */
export function createPageSize({ first, countMax, bytesMax }: PageSizeBounds): PageSize {
  let size = first;
  return {
    count: () => size,
    saw: (count, bytes) => {
      if (count === 0) return;
      const fitting = Math.floor((bytesMax * count) / Math.max(1, bytes));
      size = Math.max(1, Math.min(countMax, size * growth, fitting));
    },
  };
}
