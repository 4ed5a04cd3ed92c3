import { z } from 'zod';
import { summaryTypes } from '../../domain/enumerations.ts';
import type { SummaryWritten } from '../../domain/summary/events.ts';
import { sourceId } from '../../kernel/ids.ts';
import { publish } from './publication.ts';
import { count, timestamp } from './values.ts';

export const summaryWritten = publish(
  {
    sourceId,
    type: z.enum(summaryTypes),
    year: count.nullable(),
    month: count.nullable(),
    windowDays: count.nullable(),
    releaseCount: count,
    generatedAt: timestamp,
  },
  ({ summary: _, ...facts }: SummaryWritten['data']) => facts,
);
