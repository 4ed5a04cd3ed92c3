import type { SearchFilter } from '../../../ports/search-index.ts';
import { type HitById, idOf } from './hit-by-id.ts';

/** What is told of each hit that may not pass. */
export const passingFields = ['sourceId', 'publishedMs', 'isCoverage', 'isBare'] as const;

export interface UnsureHit extends HitById {
  readonly fields: HitById['fields'] & {
    readonly sourceId?: readonly string[];
    readonly publishedMs?: readonly number[];
    readonly isCoverage?: readonly boolean[];
    readonly isBare?: readonly boolean[];
  };
}

const isInTime = ({ fromMs, toMs, keepsUndated = false }: SearchFilter, publishedMs: number | undefined): boolean => {
  if (publishedMs === undefined) return keepsUndated || (fromMs === undefined && toMs === undefined);
  return (fromMs === undefined || publishedMs >= fromMs) && (toMs === undefined || publishedMs <= toMs);
};

/** Says the same as `filterQuery` does to the server. */
export function passes(filter: SearchFilter, hit: UnsureHit): boolean {
  const { sources, withCoverage, withBare = false, except } = filter;
  const { sourceId = [], publishedMs, isCoverage, isBare } = hit.fields;
  const isOf = (wanted: ReadonlySet<string>): boolean => sourceId.some((id) => wanted.has(id));
  return (
    ('in' in sources ? isOf(sources.in) : !isOf(sources.notIn)) &&
    isInTime(filter, publishedMs?.[0]) &&
    (withCoverage || isCoverage?.[0] !== true) &&
    (withBare || isBare?.[0] === false) &&
    !except?.has(idOf(hit))
  );
}
