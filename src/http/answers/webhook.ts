import { z } from 'zod';
import { breakingVerdicts, releaseTypes, webhookFormats } from '../../domain/enumerations.ts';
import { orgId, productId, sourceId, webhookId } from '../../kernel/ids.ts';
import { count } from './count.ts';
import { timestamp } from './timestamp.ts';

/** What is shown of a webhook (contract 13.1). */
export const webhookRecord = z
  .strictObject({
    id: webhookId,
    scope: z.enum(['org', 'follows']),
    url: z.string(),
    description: z.string().nullable(),
    format: z.enum(webhookFormats),
    orgId: orgId.nullable(),
    orgSlug: z.string().nullable(),
    orgName: z.string().nullable(),
    sourceId: sourceId.nullable(),
    sourceSlug: z.string().nullable(),
    productId: productId.nullable(),
    productSlug: z.string().nullable(),
    releaseType: z.enum(releaseTypes).nullable(),
    minImportance: z.int().min(1).max(5).nullable(),
    breaking: z.array(z.enum(breakingVerdicts)).nullable(),
    enabled: z.boolean(),
    disabledReason: z.enum(['manual', 'auto', 'gone']).nullable(),
    deliveryHealth: z.enum(['healthy', 'degraded', 'failing', 'paused']),
    consecutiveFailures: count,
    lastSuccessAt: timestamp.nullable(),
    lastFailureAt: timestamp.nullable(),
    lastError: z.string().max(200).nullable(),
    deliveryHealthSummary: z.string(),
    secretVersion: z.int().min(1).nullable(),
    previousKeyExpiresAt: timestamp.nullable(),
    createdBy: z.enum(['user', 'admin']),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Webhook' });

/** The only answer that holds the signing key, in both spellings. */
export const createdWebhook = webhookRecord.extend({
  signingKey: z.string().regex(/^[0-9a-f]{64}$/),
  signingSecret: z.string().regex(/^whsec_[A-Za-z0-9+/]{43}=$/),
});

export const webhookList = z.strictObject({ subscriptions: z.array(webhookRecord) });
