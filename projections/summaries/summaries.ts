import type { SummaryEvent, SummaryWritten } from '../../src/domain/summary/events.ts';
import { defineProjection, one } from '../../src/kernel/projection.ts';

/** One document for each summary: a source that has many months has many small documents, none that grows. */
export type SummaryDocument = SummaryWritten['data'] & { readonly id: string };

export const summariesProjection = defineProjection<SummaryDocument, SummaryEvent>({
  name: 'summaries',
  generation: 1,
  indexes: {
    newest: ['sourceId', 'generatedAt'],
    newestOfType: ['sourceId', 'type', 'generatedAt'],
    newestOfMonth: ['sourceId', 'month', 'generatedAt'],
    byMonth: ['sourceId', 'type', 'year', 'month'],
  },
  on: {
    'SummaryWritten.v1': one((_, { data, stream }) => ({ id: stream.id, ...data })),
    'SummaryRemoved.v1': one((summary) => summary && null),
  },
});
