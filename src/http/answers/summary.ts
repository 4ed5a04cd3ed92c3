import { z } from 'zod';
import { summaryTypes } from '../../domain/enumerations.ts';
import { orgId, sourceId, summaryId } from '../../kernel/ids.ts';
import { count } from './count.ts';
import { timestamp } from './timestamp.ts';

/** What was written about the last days or about a month of a source (contract 5.5). */
export const summary = z
  .strictObject({
    id: summaryId,
    sourceId,
    orgId: orgId.nullable(),
    type: z.enum(summaryTypes),
    year: z.int().nullable(),
    month: z.int().min(1).max(12).nullable(),
    windowDays: z.int().min(1).nullable(),
    summary: z.string(),
    releaseCount: count,
    generatedAt: timestamp,
  })
  .meta({ id: 'Summary' });

export const summaries = z.strictObject({ items: z.array(summary) });
