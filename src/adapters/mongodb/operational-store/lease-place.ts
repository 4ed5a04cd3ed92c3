import type { Db } from 'mongodb';
import type { Leases } from '../../../ports/leases.ts';
import type { WhileHeldUp } from '../abandoned-transactions.ts';
import { createMongoLeases, type LeasePlace } from '../leases.ts';

export const opsLeasesCollection = 'ops.leases';

/**
 * A document for each lease: work under one does not wait for work under another. Without the shape of the documents,
 * which a name of a field made at run time rules out, the driver takes every id for one of its own making.
 */
export const opsLeasePlace = (name: string): LeasePlace => ({ filter: { _id: name as never }, prefix: '' });

export const createOpsLeases = (db: Db, whileHeldUp: WhileHeldUp): Leases =>
  createMongoLeases({
    collection: db.collection(opsLeasesCollection),
    placeOf: opsLeasePlace,
    missing: 'made',
    whileHeldUp,
  });
