import { type SummaryDocument, summariesProjection } from '../../projections/summaries/summaries.ts';
import { catalogueReads } from '../../src/catalogue/catalogue.ts';
import { resolveSource } from '../../src/catalogue/resolve.ts';
import type { SummaryType } from '../../src/domain/enumerations.ts';
import { DomainError } from '../../src/kernel/errors.ts';
import type { IndexQuery } from '../../src/ports/read-models.ts';
import type { Asking, QueryDeps } from '../shape/query-deps.ts';
import { summaryRecord } from '../shape/source/summary.ts';

export interface SummariesListInput {
  readonly sourceSlug: string | null;
  readonly sourceId: string | null;
  readonly type: SummaryType | null;
  readonly year: number | null;
  readonly month: number | null;
}

export const summariesReads = [...catalogueReads, summariesProjection];

/** There is no second page: what is older can be asked for by its year or month. 100 of the longest are 8 MB at most. */
export const summariesMax = 100;

/** Only monthly summaries have a year and a month, so the index by month is asked for these alone. */
const rangeOf = (sourceId: string, { type, year, month }: SummariesListInput): Omit<IndexQuery, 'limit'> => {
  if (year !== null) {
    const equals = { sourceId, type: 'monthly', year, ...(month !== null && { month }) };
    return { index: 'byMonth', equals };
  }
  if (month !== null) return { index: 'newestOfMonth', equals: { sourceId, month } };
  if (type !== null) return { index: 'newestOfType', equals: { sourceId, type } };
  return { index: 'newest', equals: { sourceId } };
};

const byNewest = (a: SummaryDocument, b: SummaryDocument): number => {
  if (a.generatedAt !== b.generatedAt) return a.generatedAt > b.generatedAt ? -1 : 1;
  return a.id > b.id ? -1 : 1;
};

/** The summaries of a source (contract 5.5). */
export const summariesList = async (
  { models, catalogue }: Pick<QueryDeps, 'models' | 'catalogue'>,
  input: SummariesListInput,
  { admin }: Pick<Asking, 'admin'>,
) => {
  const identifier = input.sourceId ?? input.sourceSlug;
  if (identifier === null) throw new DomainError('missing_parameter', { parameter: 'sourceSlug' });
  if (input.type === 'rolling' && (input.year !== null || input.month !== null)) {
    const parameters = ['type', input.year === null ? 'month' : 'year'];
    throw new DomainError('conflicting_parameters', { parameters });
  }
  const source = resolveSource(catalogue, identifier, admin);
  const range = rangeOf(source.id, input);
  const found = await models.of(summariesProjection).query({ ...range, direction: 'descending', limit: summariesMax });
  return { items: [...found].sort(byNewest).map((summary) => summaryRecord(source, summary)) };
};
