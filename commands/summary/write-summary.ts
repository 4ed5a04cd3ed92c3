import { z } from 'zod';
import { requireLiveSource, type SourceFact, sourceFact } from '../../src/domain/source/live-source.ts';
import type { SummaryWritten } from '../../src/domain/summary/events.ts';
import { summaryFields } from '../../src/domain/summary/fields.ts';
import { summary } from '../../src/domain/summary/state.ts';
import { summaryId, summarySubject } from '../../src/domain/summary/subject.ts';
import { type DecisionContext, defineCommand } from '../../src/kernel/command.ts';
import { sourceId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

/** Replaces what was written about the same days or month before. The same text again is nothing new. */
export const writeSummary = defineCommand({
  name: 'WriteSummary',
  input: z.strictObject({ sourceId, fields: summaryFields }),
  stream: ({ sourceId, fields }) => streamOf('summary', summaryId(summarySubject(sourceId, fields))),
  model: summary,
  facts: ({ sourceId }, _, known: Partial<SourceFact>) => sourceFact(sourceId, known),
  decide: ({ sourceId, fields }, state, { facts, now }: DecisionContext<SourceFact>): SummaryWritten[] => {
    requireLiveSource(facts);
    const { summary: text, releaseCount } = fields;
    if (state?.summary === text && state.releaseCount === releaseCount) return [];
    const subject = summarySubject(sourceId, fields);
    return [{ type: 'SummaryWritten.v1', data: { ...subject, summary: text, releaseCount, generatedAt: now } }];
  },
});
