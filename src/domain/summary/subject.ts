import { derivedId } from '../../kernel/ids.ts';
import type { SummarySubject } from './events.ts';
import type { SummaryFields } from './fields.ts';

export const summarySubject = (
  sourceId: string,
  { type, year, month, windowDays }: Omit<SummaryFields, 'summary' | 'releaseCount'>,
): SummarySubject => ({
  sourceId,
  type,
  year: year ?? null,
  month: month ?? null,
  windowDays: windowDays ?? null,
});

/** One for each subject, whoever writes it first: writing about the same again replaces it. */
export const summaryId = ({ sourceId, type, year, month, windowDays }: SummarySubject): string =>
  derivedId('sum', sourceId, type, ...[year, month, windowDays].map(String));
