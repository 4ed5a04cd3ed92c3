import { z } from 'zod';
import { cleanText } from '../../kernel/text-rules.ts';
import { type Breaking, breakingVerdicts, releaseTypes, webhookFormats } from '../enumerations.ts';

const inOrder = (verdicts: readonly Breaking[]): Breaking[] =>
  breakingVerdicts.filter((verdict) => verdicts.includes(verdict));

const scope = z
  .enum(['org', 'follows'])
  .refine((value) => value === 'org', { error: 'follows needs an account; only org subscriptions are served here' });

const format = z
  .enum(webhookFormats)
  .refine((value) => value === 'json', { error: 'slack and discord are not served yet; only json is' });

export const webhookUrlCharsMax = 2048;

/** Without org, source and product, which a request may name in several ways (contract 13.2). */
export const webhookCreateFields = z.strictObject({
  url: cleanText(1, webhookUrlCharsMax),
  description: cleanText(0, 1000).nullable().exactOptional(),
  enabled: z.boolean().exactOptional(),
  scope: scope.exactOptional(),
  format: format.exactOptional(),
  releaseType: z.enum(releaseTypes).nullable().exactOptional(),
  minImportance: z.int().min(1).max(5).nullable().exactOptional(),
  /** Each once. None at all would let nothing pass; null lets everything. */
  breaking: z
    .array(z.enum(breakingVerdicts))
    .min(1)
    .refine((verdicts) => new Set(verdicts).size === verdicts.length, { error: 'must name each value once' })
    .overwrite(inOrder)
    .nullable()
    .exactOptional(),
});
