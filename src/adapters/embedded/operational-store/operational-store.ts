import type { Document } from '../../../kernel/projection.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Leases } from '../../../ports/leases.ts';
import type {
  CollectionDeclaration,
  OperationalCollection,
  OperationalStore,
} from '../../../ports/operational-store.ts';
import type { DeclaredIndexes } from '../sqlite/declared-index.ts';
import { checkedLimit } from '../../checked-indexes.ts';
import { type Database, openDatabase, readerCachePragma } from '../sqlite/open-database.ts';
import { createRowTurns } from '../sqlite/row-turns.ts';
import { createOpsCollection, encodeChange } from './collection.ts';
import { declareCollection } from './tables.ts';
import { type OpsWriterClient, startOpsWriter } from './writer-client.ts';
import { createStoredIdentity } from '../sqlite/stored-identity.ts';

export interface EmbeddedOperationalStoreOptions {
  /** The data folder. */
  readonly folder: string;
  readonly clock: Clock;
  /** The writer thread died: nothing can be written any more, so the process should end. */
  readonly onFatal: (error: Error) => void;
  /** Shared with the message bus; who started it closes it, after the store. */
  readonly writer?: OpsWriterClient;
}

const openReader = async (file: string): Promise<Database> => {
  const db = openDatabase({ file, kind: 'ops', synchronous: 'FULL', readonly: true });
  db.pragma(readerCachePragma);
  return db;
};

interface Declared {
  readonly text: string;
  readonly declared: DeclaredIndexes;
  readonly collection: Promise<OperationalCollection<Document>>;
}

/** Reads on the calling thread, writes on one writer thread. */
export const createEmbeddedOperationalStore = async ({
  folder,
  clock,
  onFatal,
  writer: shared,
}: EmbeddedOperationalStoreOptions): Promise<OperationalStore> => {
  const writer = shared ?? (await startOpsWriter({ folder, onFatal }));
  const closeWriter = async () => {
    if (shared === undefined) await writer.close();
  };
  const db = await openReader(writer.file).catch(async (error: unknown) => {
    await closeWriter();
    throw error;
  });
  const identity = createStoredIdentity(db, 'These operational data');
  const turns = createRowTurns();
  const collections = new Map<string, Declared>();
  let closing: Promise<void> | undefined;

  const requireOpen = (): void => {
    if (closing !== undefined) throw new Error('The operational store is closed.');
  };

  const declare = (declaration: CollectionDeclaration): Declared => {
    const declared = declareCollection(declaration);
    const make = async () => {
      await writer.call('declare', declaration);
      return createOpsCollection<Document>({ db, clock, turns }, declared);
    };
    const entry = { text: JSON.stringify(declaration), declared, collection: make() };
    collections.set(declaration.name, entry);
    return entry;
  };

  const known = (name: string): Declared => {
    const entry = collections.get(name);
    if (!entry) throw new Error(`The collection ${name} has not been declared.`);
    return entry;
  };

  const leases: Leases = {
    acquire: async (name, holder, ttlMs) => {
      requireOpen();
      return writer.call('acquire', { name, holder, ttlMs, nowMs: clock.nowMs() });
    },
    renew: async (lease, ttlMs) => {
      requireOpen();
      return writer.call('renew', { lease, ttlMs, nowMs: clock.nowMs() });
    },
    release: async (lease) => {
      requireOpen();
      await writer.call('release', lease);
    },
  };

  return {
    collection: async <Doc extends Document>(declaration: CollectionDeclaration) => {
      requireOpen();
      const entry = collections.get(declaration.name) ?? declare(declaration);
      if (entry.text !== JSON.stringify(declaration)) {
        throw new Error(`The collection ${declaration.name} is declared in two ways.`);
      }
      return (await entry.collection) as OperationalCollection<Doc>;
    },
    transact: async (changes, lease) => {
      requireOpen();
      const encoded = changes.map((change) => encodeChange(change, known(change.collection).declared));
      return writer.call('transact', { changes: encoded, lease, nowMs: clock.nowMs(), sentMs: Date.now() });
    },
    removeExpired: async (limit) => {
      requireOpen();
      return writer.call('removeExpired', { limit: checkedLimit(limit), nowMs: clock.nowMs() });
    },
    leases,
    identity: async () => {
      requireOpen();
      return identity.get();
    },
    setIdentity: async (registryId) => {
      requireOpen();
      await writer.call('setIdentity', registryId);
    },
    close: () => {
      closing ??= (async () => {
        db.close();
        await closeWriter(); // last, so that it is the one to empty and remove the log
      })();
      return closing;
    },
  };
};
