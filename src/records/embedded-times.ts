import { toTimestamp } from '../kernel/dates.ts';
import type { Document } from '../kernel/projection.ts';
import type { CollectionDeclaration, OperationalStore } from '../ports/operational-store.ts';

interface EmbeddedTime extends Document {
  readonly embeddedAt: string;
}

/** When texts of a source last got vectors. */
export interface EmbeddedTimes {
  /** The latest of these sources; null when none of them has any. */
  readonly latestOf: (sourceIds: readonly string[]) => Promise<string | null>;
  readonly record: (sourceIds: Iterable<string>, nowMs: number) => Promise<void>;
}

export const embeddedTimesDeclaration: CollectionDeclaration = { name: 'embedded-times', indexes: {} };

/** Of a source that is purged. */
export async function removeEmbeddedTime(ops: OperationalStore, sourceId: string): Promise<void> {
  await ops.collection<EmbeddedTime>(embeddedTimesDeclaration);
  await ops.transact([{ kind: 'delete', collection: embeddedTimesDeclaration.name, id: sourceId }]);
}

export async function createEmbeddedTimes(ops: OperationalStore): Promise<EmbeddedTimes> {
  const documents = await ops.collection<EmbeddedTime>(embeddedTimesDeclaration);
  const collection = embeddedTimesDeclaration.name;
  return {
    latestOf: async (sourceIds) => {
      if (sourceIds.length === 0) return null;
      const times = (await documents.getMany(sourceIds)).map(({ doc }) => doc.embeddedAt);
      return times.reduce<string | null>((latest, at) => (latest === null || at > latest ? at : latest), null);
    },
    record: async (sourceIds, nowMs) => {
      const embeddedAt = toTimestamp(nowMs);
      const puts = Array.from(sourceIds, (id) => ({ kind: 'put', collection, doc: { id, embeddedAt } }) as const);
      if (puts.length > 0) await ops.transact(puts);
    },
  };
}
