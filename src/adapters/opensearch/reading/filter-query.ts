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

const dateQuery = ({ fromMs, toMs, keepsUndated = false }: SearchFilter): Query[] => {
  if (fromMs === undefined && toMs === undefined) return [];
  const bounds = { ...(fromMs !== undefined && { gte: fromMs }), ...(toMs !== undefined && { lte: toMs }) };
  const dated = { range: { publishedMs: bounds } };
  if (!keepsUndated) return [dated];
  return [{ bool: { should: [dated, { bool: { must_not: { exists: { field: 'publishedMs' } } } }] } }];
};

/** Null where nothing passes. */
export function filterQuery(filter: SearchFilter): Query | null {
  const { sources } = filter;
  if ('in' in sources && sources.in.size === 0) return null;
  const must = [
    ...('in' in sources ? [{ bool: { should: anyOf('sourceId', sources.in) } }] : []),
    ...dateQuery(filter),
    ...(filter.withCoverage ? [] : [{ term: { isCoverage: false } }]),
    ...(filter.withBare ? [] : [{ term: { isBare: false } }]),
  ];
  const mustNot = [
    ...('notIn' in sources ? anyOf('sourceId', sources.notIn) : []),
    ...anyOf('id', filter.except ?? []),
  ];
  return { bool: { filter: must, must_not: mustNot } };
}
