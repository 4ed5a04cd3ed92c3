import type { Document } from '../kernel/projection.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { OperationalStore } from '../ports/operational-store.ts';

/** What a stream comes to at a version, sealed by its writer. The id is the name of the stream. */
export interface SnapshotRecord extends Document {
  readonly version: number;
  readonly sealed: string;
}

/** Disposable: without them the same is found by reading whole streams. */
export interface Snapshots {
  /** By stream, those that are there; none when they cannot be read, which is logged. */
  readonly find: (streams: readonly string[]) => Promise<ReadonlyMap<string, SnapshotRecord>>;
  /** Nobody waits for it, and its failure is logged. */
  readonly save: (record: SnapshotRecord) => void;
  readonly forget: (streams: readonly string[]) => Promise<void>;
  /** Resolves when nothing is being saved. */
  readonly settled: () => Promise<void>;
}

/** Of a stream that nobody has written to for so long, the next reader can as well read all events. */
const keptMs = 30 * 24 * 3_600_000;

/** It names positions of one event store, so it is not moved to another. */
export const snapshotsDeclaration = { name: 'snapshots', indexes: {} };

export function createSnapshots(deps: {
  readonly ops: OperationalStore;
  readonly clock: Clock;
  readonly log: Log;
}): Snapshots {
  const { ops, clock, log } = deps;
  const collectionName = snapshotsDeclaration.name;
  const records = () => ops.collection<SnapshotRecord>(snapshotsDeclaration);
  const saving = new Map<string, Promise<void>>();

  async function put(doc: SnapshotRecord): Promise<void> {
    try {
      await records(); // declares the collection
      const expiresAtMs = clock.nowMs() + keptMs;
      await ops.transact([{ kind: 'put', collection: collectionName, doc, expiresAtMs }]);
    } catch (error) {
      log.warn('a snapshot could not be saved', { stream: doc.id, error });
    } finally {
      saving.delete(doc.id);
    }
  }

  return {
    find: async (streams) => {
      try {
        const found = await (await records()).getMany(streams);
        return new Map(found.map(({ doc }) => [doc.id, doc]));
      } catch (error) {
        log.warn('snapshots could not be read', { error });
        return new Map();
      }
    },
    save: (record) => {
      // Many decide on the same facts at once; one of them is enough.
      if (!saving.has(record.id)) saving.set(record.id, put(record));
    },
    forget: async (streams) => {
      for (const stream of streams) await saving.get(stream);
      const found = await (await records()).getMany(streams);
      if (found.length === 0) return;
      await ops.transact(found.map(({ doc }) => ({ kind: 'delete', collection: collectionName, id: doc.id })));
    },
    settled: async () => {
      while (saving.size > 0) await Promise.all(saving.values());
    },
  };
}
