import type { KeyValue } from '../../../src/kernel/projection.ts';
import type {
  CollectionDeclaration,
  OperationalChange,
  OperationalPut,
  OperationalStore,
} from '../../../src/ports/operational-store.ts';

export interface OperationalStoreHarness {
  /** Over an empty back end. */
  readonly make: () => Promise<OperationalStore>;
  /** Two over one empty back end. */
  readonly makeTwoOnOneBackend: () => Promise<[OperationalStore, OperationalStore]>;
  /** Until what was written can be seen by every reader. */
  readonly settle: () => Promise<void>;
  /** Cuts what lies between the adapter and its store; answers the one to go on with. */
  readonly interrupt: (store: OperationalStore) => Promise<OperationalStore>;
  /** The store's clock. */
  readonly nowMs: () => number;
  /** Lets time pass by the store's clock. */
  readonly passTime: (ms: number) => Promise<void>;
  /** Closes all that was made and forgets its data; the harness can be used again. */
  readonly close: () => Promise<void>;
}

export interface Job {
  readonly id: string;
  readonly queue: string;
  readonly dueAt: KeyValue;
  readonly note?: unknown;
}

export const jobs: CollectionDeclaration = { name: 'jobs', indexes: { byDue: ['queue', 'dueAt'] } };
export const counters: CollectionDeclaration = { name: 'counters', indexes: {} };

export const job = (id: string, fields: Partial<Job> = {}): Job => ({ queue: 'q', dueAt: null, ...fields, id });

type PutOptions = Pick<OperationalPut, 'expected' | 'expiresAtMs' | 'stampsMs'>;

export const putJob = (doc: Job, options: PutOptions = {}): OperationalChange => ({
  kind: 'put',
  collection: 'jobs',
  doc,
  ...options,
});

export const putCounter = (id: string, value: number, options: PutOptions = {}): OperationalChange => {
  const doc = { id, value };
  return { kind: 'put', collection: 'counters', doc, ...options };
};

export const deleteJob = (id: string, expected?: number): OperationalChange => ({
  kind: 'delete',
  collection: 'jobs',
  id,
  ...(expected !== undefined && { expected }),
});

export interface Counter {
  readonly id: string;
  readonly value: number;
}

export const openCollections = async (store: OperationalStore) => ({
  jobs: await store.collection<Job>(jobs),
  counters: await store.collection<Counter>(counters),
});
