import { type SummaryDocument, summariesProjection } from '../../../projections/summaries/summaries.ts';
import type { QueryDeps } from '../query-deps.ts';

const monthsShown = 24;

const said = ({ summary, releaseCount, generatedAt }: SummaryDocument) => ({ summary, releaseCount, generatedAt });

/** What the detail of a source says of its summaries (contract 5.2). */
export const sourceSummaries = async ({ models }: Pick<QueryDeps, 'models'>, sourceId: string) => {
  const summaries = models.of(summariesProjection);
  const newest = { index: 'newestOfType', equals: { sourceId, type: 'rolling' } };
  const months = { index: 'byMonth', equals: { sourceId, type: 'monthly' } };
  const [rolling] = await summaries.query({ ...newest, direction: 'descending', limit: 1 });
  const monthly = await summaries.query({ ...months, direction: 'descending', limit: monthsShown });
  return {
    rolling: rolling ? { year: null, month: null, windowDays: rolling.windowDays, ...said(rolling) } : null,
    monthly: monthly.map((each) => ({ year: each.year, month: each.month, ...said(each) })),
  };
};
