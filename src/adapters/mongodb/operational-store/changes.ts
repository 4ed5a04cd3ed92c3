import type { OperationalChange } from '../../../ports/operational-store.ts';
import type { DeclaredIndexes, StoredKeys } from '../declared-indexes.ts';
import { type StoredDocument, storedDocument } from '../stored-document.ts';

/** A change as it is written: serialised, and with nothing left that could be refused. */
export interface EncodedChange {
  readonly collection: string;
  readonly id: string;
  readonly expected: number | undefined;
  /** Null deletes. */
  readonly stored: (StoredDocument & { readonly expiresAt?: Date }) | null;
  readonly stampsMs: Readonly<Record<string, number>>;
}

const expiryOf = (expiresAtMs: number, id: string, owner: string): Date => {
  const expiresAt = new Date(expiresAtMs);
  if (Number.isNaN(expiresAt.getTime())) throw new Error(`document ${id} of ${owner} cannot expire at ${expiresAtMs}`);
  return expiresAt;
};

export const encodeChange = (change: OperationalChange, declared: DeclaredIndexes): EncodedChange => {
  const { collection, expected } = change;
  if (expected !== undefined && (!Number.isSafeInteger(expected) || expected < 0)) {
    throw new Error(`an expected revision is a whole number from 0 on, not ${expected}`);
  }
  if (change.kind === 'delete') return { collection, id: change.id, expected, stored: null, stampsMs: {} };
  const { doc, expiresAtMs, stampsMs = {} } = change;
  const expiry = expiresAtMs === undefined ? {} : { expiresAt: expiryOf(expiresAtMs, String(doc.id), declared.owner) };
  return { collection, id: doc.id, expected, stored: { ...storedDocument(declared, doc), ...expiry }, stampsMs };
};

/** The last moment that a date can hold. */
const never = new Date(8.64e15);

/** The revision of a document as readers see it: 0 when it is expired or not there. */
export const liveRevision = {
  $cond: [{ $lte: [{ $ifNull: ['$expiresAt', never] }, '$$NOW'] }, 0, { $ifNull: ['$revision', 0] }],
};

/** Fields that the server sets by its clock lie beside the body, which is a text, and take the place of those in it. */
export const stampedFields = (keys: StoredKeys, stampsMs: EncodedChange['stampsMs']) => {
  const stamped = Object.fromEntries(
    Object.entries(stampsMs).map(([field, ms]) => [field, { $add: [{ $toLong: '$$NOW' }, ms] }]),
  );
  const stampedKeys = Object.fromEntries(Object.entries(stamped).filter(([field]) => Object.hasOwn(keys, field)));
  return { stamped, keys: { $mergeObjects: [{ $literal: keys }, stampedKeys] } };
};
