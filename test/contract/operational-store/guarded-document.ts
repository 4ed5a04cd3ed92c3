import type { OperationalStore } from '../../../src/ports/operational-store.ts';
import type { GuardedStore } from '../leases-contract.ts';
import { job, openCollections, putJob } from './harness.ts';

/** A document of the operational store, written under its leases. */
export const openGuardedDocument = async (store: OperationalStore): Promise<GuardedStore> => {
  const { jobs } = await openCollections(store);
  return {
    leases: store.leases,
    write: async (lease, value) => {
      const outcome = await store.transact([putJob(job('guarded', { note: value }))], lease);
      if (outcome === 'revision_conflict') throw new Error('no revision was expected');
      return outcome;
    },
    read: async () => (await jobs.get('guarded'))?.doc.note ?? null,
  };
};
