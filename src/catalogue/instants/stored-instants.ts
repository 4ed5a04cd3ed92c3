import { type InstantsDocument, sourceOfInstants, monthOf } from '../../../projections/instants/instants-document.ts';
import { instantsProjection } from '../../../projections/instants/instants.ts';
import { toTimestamp } from '../../kernel/dates.ts';
import type { ReadModelSet } from '../../ports/read-models.ts';
import { createInstantsBySource } from './instants-by-source.ts';
import type { SourceInstants } from './source-instants.ts';

const rowsAtOnceMax = 200;
/** Most sources have few months, and what is read beyond them is of others. */
const rowsAtFirst = 4;
/** So that a source with many months is read in few steps, too. */
const growth = 4;

/**
 * When the releases of one source appeared, read for this one look: for who needs it of few sources, and not the catalogue
 * of all. From a moment on only the months since are read, and the undated are left out.
 */
export async function readInstants(
  models: ReadModelSet,
  sourceId: string,
  sinceMs: number | null = null,
): Promise<SourceInstants> {
  const model = models.of(instantsProjection);
  const read = createInstantsBySource();
  // Ids begin with that of the source and its month; the sign of the undated sorts before all months.
  let after = sinceMs === null ? `${sourceId}:` : `${sourceId}:${monthOf(toTimestamp(sinceMs))}`;
  for (let limit = rowsAtFirst; ; limit = Math.min(rowsAtOnceMax, limit * growth)) {
    const rows: readonly { readonly doc: InstantsDocument }[] = await model.scan(after, limit);
    const own = rows.filter(({ doc }) => sourceOfInstants(doc.id) === sourceId);
    for (const { doc } of own) read.apply(doc);
    if (own.length < limit) return read.instantsOf(sourceId);
    after = own.at(-1)!.doc.id;
  }
}
