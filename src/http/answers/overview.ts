import { z } from 'zod';
import { releaseId } from '../../kernel/ids.ts';
import { count } from './count.ts';
import { timestamp } from './timestamp.ts';

const citation = z.strictObject({
  sourceUrl: z.string(),
  title: z.string().optional(),
  releaseId: releaseId.optional(),
  releaseWebUrl: z.string().nullable().optional(),
  startIndex: count.optional(),
  endIndex: count.optional(),
  citedText: z.string().optional(),
});

/** What an org or product is about, written from its releases. */
export const overview = z
  .strictObject({
    scope: z.enum(['org', 'product']),
    orgSlug: z.string().nullable(),
    productSlug: z.string().nullable(),
    content: z.string(),
    releaseCount: count,
    lastContributingReleaseAt: timestamp.nullable(),
    generatedAt: timestamp,
    updatedAt: timestamp,
    citations: z.array(citation),
  })
  .meta({ id: 'Overview' });

/** Notes for those who look after an org; never shown to anonymous callers. */
export const playbook = z.strictObject({ scope: z.literal('playbook'), content: z.string(), updatedAt: timestamp });
