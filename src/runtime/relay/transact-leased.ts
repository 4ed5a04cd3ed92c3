import type { Lease } from '../../ports/leases.ts';
import type { OperationalChange, OperationalStore } from '../../ports/operational-store.ts';
import { LeaseLost } from '../resilience/held-leases.ts';

/** All changes or none; throws when another process relays by now. */
export async function transactLeased(
  ops: OperationalStore,
  lease: Lease,
  changes: readonly OperationalChange[],
): Promise<void> {
  const outcome = await ops.transact(changes, lease);
  if (outcome === 'stale_lease') throw new LeaseLost('relaying');
  if (outcome !== 'written') throw new Error(`what the relay has to save was not written: ${outcome}`);
}
