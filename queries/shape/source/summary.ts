import type { SummaryDocument } from '../../../projections/summaries/summaries.ts';
import type { SourceDocument } from '../../../projections/source/source.ts';

/** A summary by itself (contract 5.5). */
export const summaryRecord = ({ orgId }: Pick<SourceDocument, 'orgId'>, summary: SummaryDocument) => ({
  id: summary.id,
  sourceId: summary.sourceId,
  orgId,
  type: summary.type,
  year: summary.year,
  month: summary.month,
  windowDays: summary.windowDays,
  summary: summary.summary,
  releaseCount: summary.releaseCount,
  generatedAt: summary.generatedAt,
});
