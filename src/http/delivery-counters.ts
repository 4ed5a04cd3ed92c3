import type { WebhookQueryDeps } from '../../queries/shape/webhook-record.ts';
import type { OperationalStore } from '../ports/operational-store.ts';
import { type WebhookHealth, webhookHealthDeclaration, untriedHealth } from '../records/webhook-health.ts';

/** How subscriptions fare, read anew each time: deliverers of other processes write it all the while. */
export async function openDeliveryCounters(ops: OperationalStore): Promise<WebhookQueryDeps['deliveryCounters']> {
  const documents = await ops.collection<WebhookHealth>(webhookHealthDeclaration);
  return async (webhookIds) => {
    const stored = await documents.getMany(webhookIds);
    const known = new Map(stored.map(({ doc }) => [doc.id, doc]));
    return webhookIds.map((id) => known.get(id) ?? untriedHealth(id));
  };
}
