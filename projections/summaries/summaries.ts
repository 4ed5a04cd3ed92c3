import type { CoverageLinked } from '../../src/domain/release/coverage/events.ts';
import type { ReleaseErased, ReleaseRevised } from '../../src/domain/release/events.ts';
import type { ReleaseSuppressed } from '../../src/domain/release/suppression.ts';
import { isWithdrawal } from '../../src/domain/release/visible.ts';
import type { SummaryEvent, SummaryWritten } from '../../src/domain/summary/events.ts';
import { datesOfRelease, summaryIdsOfDates } from '../../src/domain/summary/generated-summaries.ts';
import { isGenerated } from '../../src/kernel/event.ts';
import { defineProjection, type FoldEntry, makesOne, one, remove } from '../../src/kernel/projection.ts';

/** One document for each summary: a source that has many months has many small documents, none that grows. */
export type SummaryDocument = SummaryWritten['data'] & { readonly id: string; readonly isGenerated?: true };

type ReleaseWithdrawing = CoverageLinked | ReleaseErased | ReleaseRevised | ReleaseSuppressed;

/** Nobody reads on what was withdrawn, whether or not somebody is there to write the summary anew. */
const generatedGoes: FoldEntry<SummaryDocument, ReleaseWithdrawing> = {
  load: (event) => (isWithdrawal(event) ? summaryIdsOfDates(event.data.sourceId, datesOfRelease(event)) : []),
  changesOnlyLoaded: true,
  fold: (summaries) => [...summaries.values()].filter((summary) => summary.isGenerated).map(({ id }) => remove(id)),
};

export const summariesProjection = defineProjection<SummaryDocument, SummaryEvent | ReleaseWithdrawing>({
  name: 'summaries',
  generation: 2,
  indexes: {
    newest: ['sourceId', 'generatedAt'],
    newestOfType: ['sourceId', 'type', 'generatedAt'],
    newestOfMonth: ['sourceId', 'month', 'generatedAt'],
    byMonth: ['sourceId', 'type', 'year', 'month'],
  },
  on: {
    'SummaryWritten.v1': makesOne((event) => {
      const made = isGenerated(event) && { isGenerated: true as const };
      return { id: event.stream.id, ...event.data, ...made };
    }),
    'SummaryRemoved.v1': one((summary) => summary && null),
    'ReleaseSuppressed.v1': generatedGoes,
    'CoverageLinked.v1': generatedGoes,
    'ReleaseErased.v1': generatedGoes,
    'ReleaseRevised.v1': generatedGoes,
  },
});
