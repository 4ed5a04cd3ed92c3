import type { Document } from '../../kernel/projection.ts';
import type { CollectionDeclaration, OperationalChange, OperationalStore } from '../../ports/operational-store.ts';

const stepSize = 200;

/** Copies a collection over what the target has of it. Answers how many documents there were. */
export async function copyDocuments(
  source: OperationalStore,
  target: OperationalStore,
  declaration: CollectionDeclaration,
): Promise<number> {
  const from = await source.collection<Document>(declaration);
  await target.collection<Document>(declaration);
  let count = 0;
  let afterId = '';
  for (;;) {
    const rows = await from.scan(afterId, stepSize);
    const changes = rows.map(
      ({ doc, expiresAtMs }): OperationalChange => ({
        kind: 'put',
        collection: declaration.name,
        doc,
        ...(expiresAtMs !== null && { expiresAtMs }),
      }),
    );
    if (changes.length > 0) await target.transact(changes);
    count += rows.length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < stepSize) return count;
    afterId = last.doc.id;
  }
}
