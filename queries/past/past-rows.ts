import { type FeedRow, releaseFeedProjection } from '../../projections/release-feed/release-feed.ts';
import { isDueMs } from '../../src/domain/release/visible.ts';
import type { KeyValue } from '../../src/kernel/projection.ts';
import { documentsAt, type StreamsOfModel } from './documents-at.ts';
import type { PastDeps } from './past-deps.ts';

/** Rows that are read and turned back together. */
const batchRows = 256;

/** A moment in the past, and the one in which somebody asks. */
export interface PastMoment {
  readonly atMs: number;
  readonly nowMs: number;
}

const rows: StreamsOfModel<FeedRow> = { projection: releaseFeedProjection, category: 'release' };

/** Rows of today as they were at a moment: what was not there yet is left out, and only what changed since is read. */
export const rowsAt = async (
  deps: Pick<PastDeps, 'streams'>,
  today: readonly FeedRow[],
  atMs: number,
): Promise<FeedRow[]> => {
  const indexed = today.filter(({ fetchedMs }) => fetchedMs <= atMs);
  const changed = indexed.filter(({ changedMs }) => changedMs > atMs).map(({ id }) => id);
  const then = await documentsAt(deps, rows, changed, atMs);
  return indexed.flatMap((row) => (row.changedMs <= atMs ? row : (then.get(row.id) ?? [])));
};

/** Not taken down, and due; whether its source is seen is another question. */
export const isListed = ({ suppressed, publishedMs }: FeedRow, nowMs: number): boolean =>
  !suppressed && isDueMs(publishedMs, nowMs);

/** The releases of an org that were listed then and are today, as they were then; in batches, in no order that matters. */
export async function* orgRowsAt(
  deps: Pick<PastDeps, 'streams' | 'models'>,
  orgId: string,
  { atMs, nowMs }: PastMoment,
): AsyncGenerator<readonly FeedRow[]> {
  const feed = deps.models.of(releaseFeedProjection);
  for (let after: readonly KeyValue[] | undefined; ; ) {
    const run = { index: 'byOrgAsIndexed', equals: { orgId }, to: atMs, limit: batchRows };
    const today = await feed.query(after === undefined ? run : { ...run, after });
    const then = await rowsAt(
      deps,
      today.filter((row) => isListed(row, nowMs)),
      atMs,
    );
    yield then.filter((row) => isListed(row, atMs));
    const last = today.at(-1);
    if (last === undefined || today.length < batchRows) return;
    after = [last.fetchedMs, last.id];
  }
}
