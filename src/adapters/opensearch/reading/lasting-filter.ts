import type { SearchFilter } from '../../../ports/search-index.ts';

const hourMs = 3_600_000;
/** So many that a search leaves out are found in vain at most; more are told to the server. */
const exceptMax = 20;
/** Of the nearest hardly any is dated within the next hour. Each that is asked for costs, and who finds too few asks again. */
const soonMax = 5;

const isLasting = ({ except }: SearchFilter): boolean => (except?.size ?? 0) <= exceptMax;

/**
 * What is near is looked for among all that passes a filter, which the server goes through for each vector, unless it has kept
 * them since it was last asked so. What is never the same twice is left to `passesNow`: documents that only this search leaves
 * out, and what is dated until now and not until the end of the hour.
 */
export const lastingFilter = (filter: SearchFilter): SearchFilter => {
  const { except, toMs, ...lasting } = filter;
  return {
    ...lasting,
    ...(toMs !== undefined && { toMs: Math.ceil(toMs / hourMs) * hourMs }),
    ...(except !== undefined && !isLasting(filter) && { except }),
  };
};

/** As many more must be found for it. */
export const sparesOf = (filter: SearchFilter): number =>
  (isLasting(filter) ? (filter.except?.size ?? 0) : 0) + (filter.toMs === undefined ? 0 : soonMax);

/** Whether what passes the lasting filter passes this one. */
export const passesNow = ({ except, toMs }: SearchFilter, id: string, publishedMs: number | undefined): boolean =>
  !except?.has(id) && (toMs === undefined || publishedMs === undefined || publishedMs <= toMs);
