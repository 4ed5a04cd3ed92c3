import type { Document } from '../../kernel/projection.ts';
import type { Lease } from '../../ports/leases.ts';
import type { OperationalChange, OperationalStore } from '../../ports/operational-store.ts';
import type { RelaySubscription, SubscriptionChange } from './relay-subscriptions.ts';
import { transactLeased } from './transact-leased.ts';

interface StoredSubscription extends Document {
  /** Of the generation and the subscription, so that two generations can lie side by side. */
  readonly id: string;
  readonly subscription: RelaySubscription;
}

const declaration = { name: 'relay-subscriptions', indexes: {} };
const stepSize = 500;

const prefixOf = (generation: number): string => `${generation}:`;

/** As part of the transaction that moves the checkpoint past the events they come from. */
export const storedSubscriptionChanges = (
  generation: number,
  changes: readonly SubscriptionChange[],
): OperationalChange[] =>
  changes.map(({ id: subscriptionId, subscription }) => {
    const id = prefixOf(generation) + subscriptionId;
    if (subscription === null) return { kind: 'delete', collection: declaration.name, id };
    const doc: StoredSubscription = { id, subscription };
    return { kind: 'put', collection: declaration.name, doc };
  });

/** Those of one generation; what another one or a killed filling has left behind is removed. */
export async function loadSubscriptions(
  ops: OperationalStore,
  lease: Lease,
  generation: number | null,
): Promise<RelaySubscription[]> {
  const collection = await ops.collection<StoredSubscription>(declaration);
  const subscriptions: RelaySubscription[] = [];
  for (let afterId = ''; ; ) {
    const step = await collection.scan(afterId, stepSize);
    const left: OperationalChange[] = [];
    for (const { doc } of step) {
      afterId = doc.id;
      if (generation !== null && doc.id.startsWith(prefixOf(generation))) subscriptions.push(doc.subscription);
      else left.push({ kind: 'delete', collection: declaration.name, id: doc.id });
    }
    if (left.length > 0) await transactLeased(ops, lease, left);
    if (step.length < stepSize) return subscriptions;
  }
}

/** In bounded transactions: until the checkpoint names the generation, nobody takes them for complete. */
export async function writeSubscriptions(
  ops: OperationalStore,
  lease: Lease,
  generation: number,
  changes: readonly SubscriptionChange[],
): Promise<void> {
  await ops.collection<StoredSubscription>(declaration);
  for (let start = 0; start < changes.length; start += stepSize) {
    const step = changes.slice(start, start + stepSize);
    await transactLeased(ops, lease, storedSubscriptionChanges(generation, step));
  }
}
