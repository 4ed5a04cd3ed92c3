import { firstBehind, lastUpTo, type Mark, type MarkPages } from './marks.ts';

/** How much of a file is wanted: all of it, or from a place on about so many characters or tokens. */
export type SliceWish = 'whole' | { readonly offset: number; readonly budget: SliceBudget };

export type SliceBudget =
  | { readonly measure: 'at'; readonly size: number }
  | { readonly measure: 'tokens'; readonly size: number };

export interface Slice {
  readonly start: Mark;
  readonly end: Mark;
}

const beginning: Mark = { at: 0, tokens: 0 };

/**
 * A slice begins and ends at headings, at the beginning or at the end of the file (contract 5.4). Tokens are counted
 * between headings, and none reaches over the start of one: so what lies between two marks has exactly the difference.
 */
export async function sliceOf(pages: MarkPages, total: Mark, wish: SliceWish): Promise<Slice> {
  if (wish === 'whole') return { start: beginning, end: total };
  const { offset, budget } = wish;
  const start = offset === 0 ? beginning : ((await firstBehind(pages, offset - 1)) ?? total);
  const limit = start[budget.measure] + budget.size;
  if (total[budget.measure] <= limit) return { start, end: total };
  const last = await lastUpTo(pages, budget.measure, limit);
  if (last !== null && last.at > start.at) return { start, end: last };
  return { start, end: (await firstBehind(pages, start.at)) ?? total };
}
