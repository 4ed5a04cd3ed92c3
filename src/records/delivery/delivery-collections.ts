import type { OperationalCollection, OperationalStore } from '../../ports/operational-store.ts';
import { type Deliveries, openDeliveries } from './delivery-documents.ts';
import { type DeliveryLogRow, deliveryLogDeclaration } from './delivery-log.ts';
import { type WebhookHealth, webhookHealthDeclaration } from './webhook-health.ts';

/** What the deliverer keeps beside the events. */
export interface DeliveryCollections {
  readonly deliveries: Deliveries;
  readonly rows: OperationalCollection<DeliveryLogRow>;
  readonly healths: OperationalCollection<WebhookHealth>;
}

export const openDeliveryCollections = async (
  ops: Pick<OperationalStore, 'collection'>,
): Promise<DeliveryCollections> => ({
  deliveries: await openDeliveries(ops),
  rows: await ops.collection<DeliveryLogRow>(deliveryLogDeclaration),
  healths: await ops.collection<WebhookHealth>(webhookHealthDeclaration),
});
