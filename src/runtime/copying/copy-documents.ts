import type { Document } from '../../kernel/projection.ts';
import { roughBytes } from '../../kernel/rough-bytes.ts';
import type { CollectionDeclaration, OperationalChange, OperationalStore } from '../../ports/operational-store.ts';

/** Kept answers of requests may have a megabyte each. */
const stepSize = 50;
const writeBytesMax = 8_000_000;

/** In order, in parts of bounded size. */
function* partsOf(changes: readonly OperationalChange[]): Generator<OperationalChange[]> {
  let part: OperationalChange[] = [];
  let bytes = 0;
  for (const change of changes) {
    const size = roughBytes(change);
    if (part.length > 0 && bytes + size > writeBytesMax) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(change);
    bytes += size;
  }
  if (part.length > 0) yield part;
}

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
    for (const part of partsOf(changes)) await target.transact(part);
    count += rows.length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < stepSize) return count;
    afterId = last.doc.id;
  }
}
