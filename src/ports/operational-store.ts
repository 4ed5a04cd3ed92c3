import type { Document, Equals, IndexFields, KeyValue } from '../kernel/projection.ts';
import type { Lease, Leases } from './leases.ts';

/** What is kept beside the events and is not rebuilt from them. */
export interface CollectionDeclaration {
  readonly name: string;
  readonly indexes: Readonly<Record<string, IndexFields>>;
}

export interface Stored<Doc extends Document> {
  readonly doc: Doc;
  /** 1 when first written, one more with each write. */
  readonly revision: number;
}

/** As another store needs it to hold the same. */
export interface ExportedDocument<Doc extends Document> {
  readonly doc: Doc;
  readonly expiresAtMs: number | null;
}

/** `expected` is the revision the writer has seen, 0 for a document that is not there, absent for any. */
export interface OperationalPut {
  readonly kind: 'put';
  readonly collection: string;
  readonly doc: Document;
  readonly expected?: number;
  /** Milliseconds since the epoch; the document is gone for readers from then on. */
  readonly expiresAtMs?: number;
  /**
   * By field: so many milliseconds after the moment at which the store applies the change, by its own clock. The end of
   * a lease is set so: one counted from the call would be over when the write had to wait.
   */
  readonly stampsMs?: Readonly<Record<string, number>>;
}

interface OperationalDelete {
  readonly kind: 'delete';
  readonly collection: string;
  readonly id: string;
  readonly expected?: number;
}

export type OperationalChange = OperationalPut | OperationalDelete;

export type TransactionOutcome = 'written' | 'revision_conflict' | 'stale_lease';

export interface OperationalQuery {
  readonly index: string;
  readonly equals: Equals;
  readonly direction?: 'ascending' | 'descending';
  readonly from?: KeyValue;
  readonly to?: KeyValue;
  readonly after?: readonly KeyValue[];
  readonly limit: number;
}

export interface OperationalCollection<Doc extends Document> {
  readonly get: (id: string) => Promise<Stored<Doc> | null>;
  readonly getMany: (ids: readonly string[]) => Promise<Stored<Doc>[]>;
  readonly query: (query: OperationalQuery) => Promise<Stored<Doc>[]>;
  /** Every document after that id, in the order of ids: for moving them to another store. */
  readonly scan: (afterId: string, limit: number) => Promise<ExportedDocument<Doc>[]>;
}

export interface OperationalStore {
  readonly collection: <Doc extends Document>(
    declaration: CollectionDeclaration,
  ) => Promise<OperationalCollection<Doc>>;
  /** All changes or none; durable when it resolves. With a lease, none when the lease was lost. */
  readonly transact: (changes: readonly OperationalChange[], lease?: Lease) => Promise<TransactionOutcome>;
  /** Removes at most `limit` expired documents and says how many. */
  readonly removeExpired: (limit: number) => Promise<number>;
  readonly leases: Leases;
  readonly identity: () => Promise<string | null>;
  readonly setIdentity: (registryId: string) => Promise<void>;
  readonly close: () => Promise<void>;
}
