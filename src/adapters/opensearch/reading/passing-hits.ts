import type { SearchFilter } from '../../../ports/search-index.ts';
import { type HitById, idOf } from './hit-by-id.ts';

export interface UnsureHit extends HitById {
  readonly fields: HitById['fields'] & {
    readonly sourceId?: readonly string[];
    readonly publishedMs?: readonly number[];
    readonly isCoverage?: readonly boolean[];
    readonly isBare?: readonly boolean[];
  };
}

/** How what was found in vain is known. */
export interface HitCheck {
  /** What has to be told of each hit. */
  readonly fields: readonly (keyof UnsureHit['fields'])[];
  readonly passes: (filter: SearchFilter, hit: UnsureHit) => boolean;
}

const isInTime = ({ fromMs, toMs, keepsUndated = false }: SearchFilter, publishedMs: number | undefined): boolean => {
  if (publishedMs === undefined) return keepsUndated || (fromMs === undefined && toMs === undefined);
  return (fromMs === undefined || publishedMs >= fromMs) && (toMs === undefined || publishedMs <= toMs);
};

/** What is never the same twice. */
export const checkOfMoment: HitCheck = {
  fields: ['publishedMs'],
  passes: (filter, hit) => isInTime(filter, hit.fields.publishedMs?.[0]) && !filter.except?.has(idOf(hit)),
};

/** Says the same as `filterQuery` does to the server. */
export const checkOfAll: HitCheck = {
  fields: ['sourceId', 'isCoverage', 'isBare', ...checkOfMoment.fields],
  passes: (filter, hit) => {
    const { sources, withCoverage, withBare = false } = filter;
    const { sourceId = [], isCoverage, isBare } = hit.fields;
    const isOf = (wanted: ReadonlySet<string>): boolean => sourceId.some((id) => wanted.has(id));
    return (
      ('in' in sources ? isOf(sources.in) : !isOf(sources.notIn)) &&
      (withCoverage || isCoverage?.[0] !== true) &&
      (withBare || isBare?.[0] === false) &&
      checkOfMoment.passes(filter, hit)
    );
  },
};
