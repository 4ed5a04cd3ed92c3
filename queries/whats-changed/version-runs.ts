import { releaseVersionsProjection, type VersionRow } from '../../projections/release-versions/release-versions.ts';
import type { KeyValue } from '../../src/kernel/projection.ts';
import { compareVersionKeys } from '../../src/kernel/version/version-key.ts';
import type { IndexQuery } from '../../src/ports/read-models.ts';
import type { QueryDeps } from '../shape/query-deps.ts';

type Deps = Pick<QueryDeps, 'models'>;

/** Most ranges show a few entries, and none more than 312: what is read too much is little. */
const firstChunkRows = 32;
const chunkRowsMax = 128;

/** Some rows of a source, the last of the index first, read on as they are asked for. */
export type VersionRun = Omit<IndexQuery, 'direction' | 'after' | 'limit'> & { readonly index: VersionIndex };

type VersionIndex = 'byPlace' | 'byName' | 'byNameAndDate' | 'byVerdict';

type IsLater = (a: VersionRow, b: VersionRow) => boolean;

/** What comes later in the order of contract 9.2: by version, then by date. */
export const isLaterVersion: IsLater = (a, b) => {
  const byPlace = compareVersionKeys(a.place ?? '', b.place ?? '');
  if (byPlace !== 0) return byPlace > 0;
  const [aMs, bMs] = [a.publishedMs ?? Number.NEGATIVE_INFINITY, b.publishedMs ?? Number.NEGATIVE_INFINITY];
  return aMs === bMs ? a.id > b.id : aMs > bMs;
};

/** As in feeds. */
export const isLaterByDate: IsLater = (a, b) => {
  if (a.publishedMs !== b.publishedMs) return (a.publishedMs ?? 0) > (b.publishedMs ?? 0);
  return a.fetchedMs === b.fetchedMs ? a.id > b.id : a.fetchedMs > b.fetchedMs;
};

/** What an index goes by, behind what its name says. */
const orderOf = {
  byPlace: ({ place, publishedMs, id }: VersionRow) => [place, publishedMs, id],
  byName: ({ place, publishedMs, id }: VersionRow) => [place, publishedMs, id],
  byVerdict: ({ place, publishedMs, id }: VersionRow) => [place, publishedMs, id],
  byNameAndDate: ({ publishedMs, fetchedMs, id }: VersionRow) => [publishedMs, fetchedMs, id],
} as const satisfies Readonly<Record<VersionIndex, (row: VersionRow) => readonly KeyValue[]>>;

export async function* readRun({ models }: Deps, run: VersionRun): AsyncGenerator<VersionRow, undefined> {
  let after: IndexQuery['after'];
  for (let limit = firstChunkRows; ; limit = Math.min(2 * limit, chunkRowsMax)) {
    const rows = await models
      .of(releaseVersionsProjection)
      .query({ ...run, direction: 'descending', ...(after && { after }), limit });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) return;
    after = 'place' in run.equals ? [last.publishedMs, last.id] : orderOf[run.index](last);
  }
}

/** Several runs as one. */
export async function* mergeVersionRuns(
  deps: Deps,
  runs: readonly VersionRun[],
  isLater: IsLater,
): AsyncGenerator<VersionRow> {
  const readers = runs.map((run) => readRun(deps, run));
  const heads = await Promise.all(readers.map(async (reader) => (await reader.next()).value));
  for (;;) {
    let latest: { readonly at: number; readonly row: VersionRow } | undefined;
    for (const [at, row] of heads.entries()) {
      if (row !== undefined && (latest === undefined || isLater(row, latest.row))) latest = { at, row };
    }
    if (latest === undefined) return;
    yield latest.row;
    heads[latest.at] = (await readers[latest.at]!.next()).value;
  }
}
