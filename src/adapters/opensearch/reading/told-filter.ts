import type { SearchFilter } from '../../../ports/search-index.ts';
import { checkOfAll, checkOfMoment, type HitCheck } from './passing-hits.ts';

const hourMs = 3_600_000;
/** So many that a search leaves out are found in vain at most; more are told to the server. */
const exceptMax = 20;
/** Of the nearest hardly any is dated within the next hour. Each that is asked for costs, and who finds too few asks again. */
const soonMax = 5;
/** Of the nearest so much more is asked for where the server leaves out nothing: to ask again takes several times as long. */
const sparesShare = 0.25;

/** What the server is told to leave out where it looks for what is near. What else does not pass is found in vain, and left out here. */
export interface ToldFilter {
  /** Null is nothing: for each vector the server goes through all that passes a filter, which takes longer than to find what is near. */
  readonly filter: SearchFilter | null;
  /** As many more than the limit have to be found. */
  readonly spares: number;
  /** Null where nothing is found in vain. */
  readonly check: HitCheck | null;
}

const leavesOutFew = ({ except }: SearchFilter): boolean => (except?.size ?? 0) <= exceptMax;

const fewLeftOut = (filter: SearchFilter): number => (leavesOutFew(filter) ? (filter.except?.size ?? 0) : 0);

/** All but what is hidden, says nothing, covers another release or is dated ahead. */
const passesMost = (filter: SearchFilter): boolean =>
  'notIn' in filter.sources && filter.fromMs === undefined && leavesOutFew(filter);

const tellNothing = (filter: SearchFilter, limit: number): ToldFilter => ({
  filter: null,
  spares: fewLeftOut(filter) + Math.ceil(limit * sparesShare),
  check: checkOfAll,
});

/**
 * What is never the same twice is not told: documents that only this search leaves out, and what is dated until now and not until
 * the end of the hour. The server can keep what passes the rest.
 */
const tellWhatLasts = (filter: SearchFilter): ToldFilter => {
  const { except, toMs, ...lasting } = filter;
  return {
    filter: {
      ...lasting,
      ...(toMs !== undefined && { toMs: Math.ceil(toMs / hourMs) * hourMs }),
      ...(except !== undefined && !leavesOutFew(filter) && { except }),
    },
    spares: fewLeftOut(filter) + (toMs === undefined ? 0 : soonMax),
    check: checkOfMoment,
  };
};

const tellAll = (filter: SearchFilter): ToldFilter => ({ filter, spares: 0, check: null });

/** The quickest first. Who finds too few by one goes on to the next; by the last nothing is found in vain. */
export function toldFilters(filter: SearchFilter, limit: number): readonly [ToldFilter, ...ToldFilter[]] {
  const lasting = tellWhatLasts(filter);
  const last = lasting.spares === 0 ? ([tellAll(filter)] as const) : ([lasting, tellAll(filter)] as const);
  return passesMost(filter) ? [tellNothing(filter, limit), ...last] : last;
}
