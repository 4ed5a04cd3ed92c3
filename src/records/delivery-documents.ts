import type { DeliveryState } from '../delivery/delivery-state.ts';
import type { OperationalChange } from '../ports/operational-store.ts';

/** The state documents, found by what they wait for: their time while due, the end of the lease while sending. */
export const deliveriesDeclaration = {
  name: 'deliveries',
  indexes: { byDue: ['phase', 'notBeforeMs'], byLease: ['phase', 'leaseUntilMs'] },
};

/** Documents and log alike (contract 13.9). */
export const deliveriesKeptMs = 90 * 24 * 3_600_000;

/** Written only if the document is still as it was read; 0 is the revision of one that is not there. */
export const deliveryChange = (doc: DeliveryState, expected: number): OperationalChange => ({
  kind: 'put',
  collection: deliveriesDeclaration.name,
  doc,
  expected,
  expiresAtMs: doc.changedAtMs + deliveriesKeptMs,
});
