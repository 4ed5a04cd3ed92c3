import type { Document } from '../kernel/projection.ts';
import type { CollectionDeclaration, OperationalCollection, OperationalStore } from '../ports/operational-store.ts';

export interface FollowedDocument extends Document {
  /** Never goes back, so that a follower finds what is new by it. */
  readonly updatedMs: number;
}

export interface FollowedCollection<Doc extends FollowedDocument> {
  readonly get: (id: string) => Doc | undefined;
  /** Brings in what any process wrote since. */
  readonly refresh: () => Promise<void>;
  readonly put: (doc: Doc) => Promise<void>;
}

const stepSize = 1_000;
/** A writer's clock may be behind another's: look this far back each time. */
const overlapMs = 2_000;

export const followedDeclaration = (name: string): CollectionDeclaration => ({
  name,
  indexes: { byUpdated: ['updatedMs'] },
});

/** A small operational collection kept in memory, for lookups that must not wait. */
export async function followCollection<Doc extends FollowedDocument>(
  ops: OperationalStore,
  declaration: CollectionDeclaration,
): Promise<FollowedCollection<Doc>> {
  const collection: OperationalCollection<Doc> = await ops.collection<Doc>(declaration);
  const docs = new Map<string, Doc>();
  let seenMs = 0;

  async function refresh(): Promise<void> {
    let after: readonly (string | number)[] | undefined;
    const from = Math.max(0, seenMs - overlapMs);
    for (;;) {
      const rows = await collection.query({
        index: 'byUpdated',
        equals: {},
        from,
        limit: stepSize,
        ...(after && { after }),
      });
      for (const { doc } of rows) {
        docs.set(doc.id, doc);
        seenMs = Math.max(seenMs, doc.updatedMs);
      }
      const last = rows.at(-1)?.doc;
      if (last === undefined || rows.length < stepSize) return;
      after = [last.updatedMs, last.id];
    }
  }

  await refresh();
  return {
    get: (id) => docs.get(id),
    refresh,
    put: async (doc) => {
      await ops.transact([{ kind: 'put', collection: declaration.name, doc }]);
      docs.set(doc.id, doc);
    },
  };
}
