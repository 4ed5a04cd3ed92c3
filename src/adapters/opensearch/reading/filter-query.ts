import type { SearchFilter } from '../../../ports/search-index.ts';

export type Query = Readonly<Record<string, unknown>>;

/** `index.max_terms_count` of an index. */
const termsMax = 65_536;

const inPieces = (values: Iterable<string>): string[][] => {
  const all = [...values];
  return Array.from({ length: Math.ceil(all.length / termsMax) }, (_, piece) =>
    all.slice(piece * termsMax, (piece + 1) * termsMax),
  );
};

const anyOf = (field: string, values: Iterable<string>): Query[] =>
  inPieces(values).map((piece) => ({ terms: { [field]: piece } }));

/** Of those that have a date. */
const outside = ({ fromMs, toMs }: SearchFilter): Query[] => [
  ...(fromMs === undefined ? [] : [{ range: { publishedMs: { lt: fromMs } } }]),
  ...(toMs === undefined ? [] : [{ range: { publishedMs: { gt: toMs } } }]),
];

const isWithin = ({ fromMs, toMs }: SearchFilter): Query => ({
  range: { publishedMs: { ...(fromMs !== undefined && { gte: fromMs }), ...(toMs !== undefined && { lte: toMs }) } },
});

/**
 * Null where nothing passes. What most documents pass is asked as what few do not: for each list of vectors the server goes
 * through all that a condition is met by. `checkOfAll` says the same of what was found.
 */
export function filterQuery(filter: SearchFilter): Query | null {
  const { sources, fromMs, toMs, keepsUndated = false } = filter;
  if ('in' in sources && sources.in.size === 0) return null;
  const isDated = !keepsUndated && (fromMs !== undefined || toMs !== undefined);
  const must = [
    ...('in' in sources ? [{ bool: { should: anyOf('sourceId', sources.in) } }] : []),
    ...(isDated ? [isWithin(filter)] : []),
    ...(filter.withBare ? [] : [{ term: { isBare: false } }]),
  ];
  const mustNot = [
    ...('notIn' in sources ? anyOf('sourceId', sources.notIn) : []),
    ...(keepsUndated ? outside(filter) : []),
    ...(filter.withCoverage ? [] : [{ term: { isCoverage: true } }]),
    ...anyOf('id', filter.except ?? []),
  ];
  return { bool: { filter: must, must_not: mustNot } };
}
