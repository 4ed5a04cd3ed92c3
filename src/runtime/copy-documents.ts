import type { Document } from '../kernel/projection.ts';
import type { CollectionDeclaration, OperationalChange, OperationalStore } from '../ports/operational-store.ts';

const stepSize = 200;

/** Copies a collection; what the target has already stays as it is there. Answers how many documents there were. */
export async function copyDocuments(
  source: OperationalStore,
  target: OperationalStore,
  declaration: CollectionDeclaration,
): Promise<number> {
  const from = await source.collection<Document>(declaration);
  const to = await target.collection<Document>(declaration);
  let count = 0;
  let afterId = '';
  for (;;) {
    const rows = await from.scan(afterId, stepSize);
    const known = new Set((await to.getMany(rows.map(({ doc }) => doc.id))).map(({ doc }) => doc.id));
    const changes = rows
      .filter(({ doc }) => !known.has(doc.id))
      .map(
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
