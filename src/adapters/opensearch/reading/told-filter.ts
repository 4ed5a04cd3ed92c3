import type { SearchFilter } from '../../../ports/search-index.ts';

const hourMs = 3_600_000;
/** So many that a search leaves out are found in vain at most; more are told to the server. */
const exceptMax = 20;
/** Of the nearest hardly any is dated within the next hour. Each that is asked for costs, and who finds too few asks again. */
const soonMax = 5;
/** Of the nearest so much more is asked for where the server leaves out nothing: to ask again takes several times as long. */
const sparesShare = 0.25;

const leavesOutFew = ({ except }: SearchFilter): boolean => (except?.size ?? 0) <= exceptMax;

/** All but what is hidden, says nothing, covers another release or is dated ahead. */
const passesMost = (filter: SearchFilter): boolean =>
  'notIn' in filter.sources && filter.fromMs === undefined && leavesOutFew(filter);

/**
 * What is never the same twice is not told: documents that only this search leaves out, and what is dated until now and not until
 * the end of the hour. The server can keep what passes the rest.
 */
const lastingFilter = (filter: SearchFilter): SearchFilter => {
  const { except, toMs, ...lasting } = filter;
  return {
    ...lasting,
    ...(toMs !== undefined && { toMs: Math.ceil(toMs / hourMs) * hourMs }),
    ...(except !== undefined && !leavesOutFew(filter) && { except }),
  };
};

/**
 * What the server is told to leave out where it looks for what is near; what else does not pass is found in vain, and left out
 * here. Null is nothing: for each vector it goes through all that passes a filter, which takes longer than to find what is near.
 */
export const toldFilter = (filter: SearchFilter): SearchFilter | null =>
  passesMost(filter) ? null : lastingFilter(filter);

/** As many more than the limit must be found for it. */
export const sparesOf = (filter: SearchFilter, limit: number): number =>
  (leavesOutFew(filter) ? (filter.except?.size ?? 0) : 0) +
  (passesMost(filter) ? Math.ceil(limit * sparesShare) : filter.toMs === undefined ? 0 : soonMax);
