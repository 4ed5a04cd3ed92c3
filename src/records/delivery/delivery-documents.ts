import type { DeliveryState } from '../../delivery/delivery-state.ts';
import type { OperationalCollection, OperationalPut, OperationalStore, Stored } from '../../ports/operational-store.ts';

/** In the store a webhook is called subscription; in here it is translated, and nowhere else. */
interface StoredDelivery extends Omit<DeliveryState, 'webhookId' | 'burials'> {
  readonly subscriptionId: string;
  /** Absent in documents that were written before burials were counted. */
  readonly burials?: number;
}

const toStored = ({ webhookId, ...rest }: DeliveryState): StoredDelivery => ({ ...rest, subscriptionId: webhookId });

const fromStored = ({ subscriptionId, ...rest }: StoredDelivery): DeliveryState => ({
  burials: 0,
  ...rest,
  webhookId: subscriptionId,
});

/** The state documents, found by what they wait for: their time while due, the end of the lease while sending. */
export const deliveriesDeclaration = {
  name: 'deliveries',
  indexes: { byDue: ['phase', 'notBeforeMs'], byLease: ['phase', 'leaseUntilMs'] },
};

/** Documents and log alike (contract 13.9). */
export const deliveriesKeptMs = 90 * 24 * 3_600_000;

/** Written only if the document is still as it was read; 0 is the revision of one that is not there. */
export const deliveryChange = (document: DeliveryState, expected: number): OperationalPut => ({
  kind: 'put',
  collection: deliveriesDeclaration.name,
  doc: toStored(document),
  expected,
  expiresAtMs: document.changedAtMs + deliveriesKeptMs,
});

/** The same for an attempt that begins: its lease counts from when it is written, however long the write has waited. */
export const beginChange = (document: DeliveryState, expected: number, leaseMs: number): OperationalPut => ({
  ...deliveryChange(document, expected),
  stampsMs: { leaseUntilMs: leaseMs },
});

/** Without `scan`, which hands documents on as they are stored. */
export type Deliveries = Omit<OperationalCollection<DeliveryState>, 'scan'>;

export async function openDeliveries(ops: Pick<OperationalStore, 'collection'>): Promise<Deliveries> {
  const stored = await ops.collection<StoredDelivery>(deliveriesDeclaration);
  const read = ({ doc, ...rest }: Stored<StoredDelivery>): Stored<DeliveryState> => ({ ...rest, doc: fromStored(doc) });
  return {
    get: async (id) => {
      const found = await stored.get(id);
      return found && read(found);
    },
    getMany: async (ids) => (await stored.getMany(ids)).map(read),
    query: async (query) => (await stored.query(query)).map(read),
  };
}
