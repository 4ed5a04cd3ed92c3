import { z } from 'zod';
import { summaryTypes } from '../enumerations.ts';
import { filledText } from '../filled-text.ts';

export const summaryYears = { min: 1970, max: 9999 };
export const summaryMonths = { min: 1, max: 12 };

const partsOf = { rolling: ['windowDays'], monthly: ['year', 'month'] } as const;
const allParts = ['windowDays', 'year', 'month'] as const;

/** A month is named by its year and number; a rolling summary may say how many days it looks back. */
export const summaryFields = z
  .strictObject({
    type: z.enum(summaryTypes),
    summary: filledText(1, 20_000),
    releaseCount: z.int().min(0),
    windowDays: z.int().min(1).max(365).exactOptional(),
    year: z.int().min(summaryYears.min).max(summaryYears.max).exactOptional(),
    month: z.int().min(summaryMonths.min).max(summaryMonths.max).exactOptional(),
  })
  .superRefine((fields, context) => {
    const own: readonly string[] = partsOf[fields.type];
    const report = (part: string, message: string) => context.addIssue({ code: 'custom', path: [part], message });
    for (const part of allParts) {
      const isSent = fields[part] !== undefined;
      if (isSent && !own.includes(part)) report(part, `is not for a ${fields.type} summary`);
      if (!isSent && fields.type === 'monthly' && own.includes(part)) report(part, 'is needed for a monthly summary');
    }
  });

export type SummaryFields = z.output<typeof summaryFields>;
