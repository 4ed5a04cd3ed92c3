import { createPageSize } from '../../kernel/paging/page-size.ts';
import type { Document } from '../../kernel/projection.ts';
import { roughBytes } from '../../kernel/rough-bytes.ts';
import { WriteTooLarge } from '../../kernel/write-too-large.ts';
import type { CollectionDeclaration, OperationalChange, OperationalStore } from '../../ports/operational-store.ts';

/** Kept answers of requests may have a megabyte each. */
const pageBounds = { first: 4, countMax: 500, bytesMax: 4_000_000 };
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

/** What the target does not take at once is halved. The same documents may be put again, so that no half has to be undone. */
async function putAll(target: OperationalStore, changes: readonly OperationalChange[]): Promise<void> {
  try {
    await target.transact(changes);
  } catch (error) {
    if (!(error instanceof WriteTooLarge) || changes.length === 1) throw error;
    const half = Math.ceil(changes.length / 2);
    await putAll(target, changes.slice(0, half));
    await putAll(target, changes.slice(half));
  }
}

/** Copies a collection over what the target has of it. Answers how many documents there were. */
export async function copyDocuments(
  source: OperationalStore,
  target: OperationalStore,
  declaration: CollectionDeclaration,
): Promise<number> {
  const from = await source.collection<Document>(declaration);
  await target.collection<Document>(declaration);
  const size = createPageSize(pageBounds);
  let count = 0;
  let afterId = '';
  for (;;) {
    const limit = size.count();
    const rows = await from.scan(afterId, limit);
    const changes = rows.map(
      ({ doc, expiresAtMs }): OperationalChange => ({
        kind: 'put',
        collection: declaration.name,
        doc,
        ...(expiresAtMs !== null && { expiresAtMs }),
      }),
    );
    for (const part of partsOf(changes)) await putAll(target, part);
    count += rows.length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) return count;
    afterId = last.doc.id;
    size.saw(rows.length, roughBytes(rows));
  }
}
