import type { Document } from '../../../src/kernel/projection.ts';
import type { IndexQuery, ReadModel } from '../../../src/ports/read-models.ts';

/** Every document of a generation with its position, as text, in the order of ids: for comparing byte for byte. */
export async function documentsOf(model: ReadModel): Promise<string[]> {
  const rows: string[] = [];
  let afterId = '';
  for (;;) {
    const page = await model.scan(afterId, 500);
    for (const { doc, position } of page) rows.push(`${doc.id} @${position} ${JSON.stringify(doc)}`);
    const last = page.at(-1);
    if (last === undefined) return rows;
    afterId = last.doc.id;
  }
}

/** How many documents a small index range holds. */
export const countIn = async <Doc extends Document>(
  model: ReadModel<Doc>,
  query: Pick<IndexQuery, 'index' | 'equals'>,
): Promise<number> => (await model.query({ ...query, limit: 100_000 })).length;
