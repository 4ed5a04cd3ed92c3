import type { Document } from '../../kernel/projection.ts';
import type { Lease } from '../../ports/leases.ts';
import type { OperationalChange, OperationalStore } from '../../ports/operational-store.ts';
import type { RelayWebhook, WebhookChange } from './relay-webhooks.ts';
import { transactLeased } from './transact-leased.ts';

interface StoredWebhook extends Document {
  /** Of the generation and the webhook, so that two generations can lie side by side. */
  readonly id: string;
  /** Named as it was first stored. */
  readonly subscription: RelayWebhook;
}

const declaration = { name: 'relay-subscriptions', indexes: {} };
const stepSize = 500;

const prefixOf = (generation: number): string => `${generation}:`;

/** As part of the transaction that moves the checkpoint past the events they come from. */
export const storedWebhookChanges = (generation: number, changes: readonly WebhookChange[]): OperationalChange[] =>
  changes.map(({ id: webhookId, webhook }) => {
    const id = prefixOf(generation) + webhookId;
    if (webhook === null) return { kind: 'delete', collection: declaration.name, id };
    const doc: StoredWebhook = { id, subscription: webhook };
    return { kind: 'put', collection: declaration.name, doc };
  });

/** Those of one generation; what another one or a killed filling has left behind is removed. */
export async function loadWebhooks(
  ops: OperationalStore,
  lease: Lease,
  generation: number | null,
): Promise<RelayWebhook[]> {
  const collection = await ops.collection<StoredWebhook>(declaration);
  const webhooks: RelayWebhook[] = [];
  for (let afterId = ''; ; ) {
    const step = await collection.scan(afterId, stepSize);
    const left: OperationalChange[] = [];
    for (const { doc } of step) {
      afterId = doc.id;
      if (generation !== null && doc.id.startsWith(prefixOf(generation))) webhooks.push(doc.subscription);
      else left.push({ kind: 'delete', collection: declaration.name, id: doc.id });
    }
    if (left.length > 0) await transactLeased(ops, lease, left);
    if (step.length < stepSize) return webhooks;
  }
}

/** In bounded transactions: until the checkpoint names the generation, nobody takes them for complete. */
export async function writeWebhooks(
  ops: OperationalStore,
  lease: Lease,
  generation: number,
  changes: readonly WebhookChange[],
): Promise<void> {
  await ops.collection<StoredWebhook>(declaration);
  for (let start = 0; start < changes.length; start += stepSize) {
    const step = changes.slice(start, start + stepSize);
    await transactLeased(ops, lease, storedWebhookChanges(generation, step));
  }
}
