import type { Collection, Document, Filter } from 'mongodb';
import type { Lease, Leases } from '../../ports/leases.ts';
import type { WhileHeldUp } from './abandoned-transactions.ts';
import { heldUpMsMax } from './failures.ts';

/** Where a lease is kept: in the document that the filter finds, under fields that begin with the prefix. */
export interface LeasePlace {
  readonly filter: Filter<Document>;
  readonly prefix: string;
}

export interface MongoLeasesOptions {
  readonly collection: Collection<Document>;
  readonly placeOf: (name: string) => LeasePlace;
  /** Whether a document that is not there is made for the first holder; else this is thrown. */
  readonly missing: 'made' | (() => Error);
  /** A transaction that its lease guards holds the document. */
  readonly whileHeldUp: WhileHeldUp;
}

/** More of its time may not be gone when a lease is handed over. */
const waitedShareMax = 1 / 4;

const bounded = { maxTimeMS: heldUpMsMax };

/** Finds the place only while the holder still has the lease, run out or not. */
export const heldFilter = ({ filter, prefix }: LeasePlace, { holder, epoch }: Lease): Filter<Document> => ({
  ...filter,
  [`${prefix}holder`]: holder,
  [`${prefix}epoch`]: epoch,
});

/**
 * Each change is one atomic update, in which the server compares with its own clock. A released lease keeps its epoch,
 * so that the next holder gets a higher one.
 */
export const createMongoLeases = (options: MongoLeasesOptions): Leases => {
  const { collection, placeOf, missing, whileHeldUp } = options;
  const acquire: Leases['acquire'] = async (name, holder, ttlMs) => {
    const { filter, prefix } = placeOf(name);
    const at = (field: string) => `$${prefix}${field}`;
    const asked = { $literal: holder };
    const isLive = { $and: [{ $ne: [{ $ifNull: [at('holder'), null] }, null] }, { $gt: [at('expiresAt'), '$$NOW'] }] };
    const isTaken = { $and: [isLive, { $ne: [at('holder'), asked] }] };
    const next = {
      [`${prefix}holder`]: { $cond: [isTaken, at('holder'), asked] },
      [`${prefix}epoch`]: { $cond: [isLive, at('epoch'), { $add: [{ $ifNull: [at('epoch'), 0] }, 1] }] },
      [`${prefix}expiresAt`]: { $cond: [isTaken, at('expiresAt'), { $add: ['$$NOW', ttlMs] }] },
    };
    const found = await collection.findOneAndUpdate(filter, [{ $set: next }], {
      ...bounded,
      upsert: missing === 'made',
      returnDocument: 'after',
      projection: { held: { holder: at('holder'), epoch: at('epoch') } },
    });
    if (found === null) throw missing === 'made' ? new Error(`the lease ${name} was not stored`) : missing();
    const held = found['held'] as { holder: string; epoch: number };
    return held.holder === holder ? { name, holder, epoch: held.epoch } : null;
  };

  const renew: Leases['renew'] = async (lease, ttlMs) => {
    const place = placeOf(lease.name);
    const expiresAt = { [`${place.prefix}expiresAt`]: { $add: ['$$NOW', ttlMs] } };
    const { matchedCount } = await collection.updateOne(heldFilter(place, lease), [{ $set: expiresAt }], bounded);
    return matchedCount === 1;
  };
  const release: Leases['release'] = async (lease) => {
    const place = placeOf(lease.name);
    await collection.updateOne(heldFilter(place, lease), { $set: { [`${place.prefix}holder`]: null } }, bounded);
  };
  /** The server takes the time when it is asked, not when it writes: what had to wait in between is written once more. */
  const asOfNow = async (ttlMs: number, write: () => Promise<Lease | null>): Promise<Lease | null> => {
    const askedMs = performance.now();
    const lease = await whileHeldUp(write);
    if (lease === null || performance.now() - askedMs <= ttlMs * waitedShareMax) return lease;
    return (await whileHeldUp(() => renew(lease, ttlMs))) ? lease : null;
  };

  return {
    acquire: (name, holder, ttlMs) => asOfNow(ttlMs, () => acquire(name, holder, ttlMs)),
    renew: async (lease, ttlMs) =>
      (await asOfNow(ttlMs, async () => ((await renew(lease, ttlMs)) ? lease : null))) !== null,
    release: (lease) => whileHeldUp(() => release(lease)),
  };
};
