import { orgProjection } from '../../projections/org/org.ts';
import { productProjection } from '../../projections/product/product.ts';
import { sourceProjection } from '../../projections/source/source.ts';
import { type WebhookDocument, webhooksProjection } from '../../projections/webhooks/webhooks.ts';
import type { Catalogue } from '../../src/catalogue/catalogue.ts';
import { allSight, isOrgVisible, isProductVisible, isSourceVisible } from '../../src/catalogue/visibility.ts';
import type { ReadModelSet } from '../../src/ports/read-models.ts';
import { type DeliveryCounters, deliveryHealth } from './delivery-health.ts';

export interface WebhookQueryDeps {
  readonly models: ReadModelSet;
  readonly catalogue: Catalogue;
  /** Bookkeeping, not events: of each of these webhooks, in the same order, as the operational store has it now. */
  readonly deliveryCounters: (webhookIds: readonly string[]) => Promise<readonly DeliveryCounters[]>;
}

export const webhookReads = [orgProjection, productProjection, sourceProjection, webhooksProjection];

/** A deleted entity has given its slug away, so it has none to show. */
const subjectOf = (catalogue: Catalogue, { orgId, sourceId, productId }: WebhookDocument) => {
  const org = catalogue.org(orgId);
  const source = sourceId === null ? undefined : catalogue.source(sourceId);
  const product = productId === null ? undefined : catalogue.product(productId);
  const seenOrg = org && isOrgVisible(org, allSight) ? org : null;
  return {
    orgId,
    orgSlug: seenOrg?.slug ?? null,
    orgName: seenOrg?.name ?? null,
    sourceId,
    sourceSlug: source && isSourceVisible(catalogue, source, allSight) ? source.slug : null,
    productId,
    productSlug: product && isProductVisible(catalogue, product, allSight) ? product.slug : null,
  };
};

const webhookRecord = (catalogue: Catalogue, webhook: WebhookDocument, counters: DeliveryCounters) => ({
  id: webhook.id,
  scope: 'org' as const,
  url: webhook.url,
  description: webhook.description,
  format: webhook.format,
  ...subjectOf(catalogue, webhook),
  releaseType: webhook.releaseType,
  minImportance: webhook.minImportance,
  breaking: webhook.breaking,
  enabled: webhook.enabled,
  disabledReason: webhook.disabledReason,
  ...deliveryHealth(webhook, counters),
  // Keys are not rotated yet, so the first one holds; chat formats have none.
  secretVersion: webhook.format === 'json' ? 1 : null,
  previousKeyExpiresAt: null,
  createdBy: 'admin' as const,
  createdAt: webhook.createdAt,
  updatedAt: webhook.updatedAt,
});

export type WebhookRecord = ReturnType<typeof webhookRecord>;

/** Webhooks as they are shown (contract 13.1); never with a key. */
export const webhookRecords = async (
  { catalogue, deliveryCounters }: Pick<WebhookQueryDeps, 'catalogue' | 'deliveryCounters'>,
  webhooks: readonly WebhookDocument[],
): Promise<WebhookRecord[]> => {
  const counters = await deliveryCounters(webhooks.map(({ id }) => id));
  return webhooks.map((webhook, index) => webhookRecord(catalogue, webhook, counters[index]!));
};
