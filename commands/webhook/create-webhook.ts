import type { Lifetime } from '../../src/domain/lifecycle.ts';
import { requireLive } from '../../src/domain/lifetime-rules.ts';
import { orgFact } from '../../src/domain/org/org-fact.ts';
import { productFact, type SourceFacts } from '../../src/domain/source/source-facts.ts';
import { type SourceState, source } from '../../src/domain/source/state.ts';
import type { WebhookEvent } from '../../src/domain/webhook/events.ts';
import { webhookCreateFields } from '../../src/domain/webhook/fields.ts';
import { webhook } from '../../src/domain/webhook/state.ts';
import { type DecisionContext, defineCommand, fact } from '../../src/kernel/command.ts';
import { DomainError } from '../../src/kernel/errors.ts';
import { orgId, productId, sourceId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

interface WebhookFacts extends SourceFacts {
  readonly source?: SourceState;
}

interface Subject {
  readonly orgId: string;
  readonly sourceId: string | null;
  readonly productId: string | null;
}

/** What another org has is not there for this webhook. */
function requireWithin(
  orgId: string,
  entity: 'product' | 'source',
  part: (Lifetime & { readonly orgId: string | null }) | undefined,
): void {
  requireLive(entity, part);
  if (part?.orgId !== orgId) throw new DomainError('not_found', entity);
}

function requireSubject({ orgId, sourceId, productId }: Subject, { org, source, product }: WebhookFacts): void {
  requireLive('org', org);
  if (sourceId !== null) requireWithin(orgId, 'source', source);
  if (productId !== null) requireWithin(orgId, 'product', product);
  if (sourceId !== null && productId !== null && source?.productId !== productId) {
    const issues = [{ path: 'sourceId', message: 'names a source that is not of this product' }];
    throw new DomainError('validation_failed', { issues });
  }
}

/** Its signing key is made beforehand and never comes here. */
export const createWebhook = defineCommand({
  name: 'CreateWebhook',
  input: webhookCreateFields.extend({ orgId, sourceId: sourceId.nullable(), productId: productId.nullable() }),
  stream: (_, newId) => streamOf('webhook', newId('whk')),
  model: webhook,
  facts: ({ orgId, sourceId, productId }) => ({
    ...orgFact(orgId),
    ...productFact(productId),
    ...(sourceId !== null && { source: fact(streamOf('source', sourceId), source) }),
  }),
  decide: ({ scope: _, ...fields }, _state, { facts, now }: DecisionContext<WebhookFacts>): WebhookEvent[] => {
    requireSubject(fields, facts);
    return [
      {
        type: 'WebhookCreated.v1',
        data: {
          description: null,
          format: 'json',
          releaseType: null,
          minImportance: null,
          breaking: null,
          enabled: true,
          ...fields,
          createdAt: now,
        },
      },
    ];
  },
});
