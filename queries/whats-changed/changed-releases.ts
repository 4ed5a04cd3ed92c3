import { type FeedRow, releaseFeedProjection } from '../../projections/release-feed/release-feed.ts';
import { releaseVersionsProjection, type VersionRow } from '../../projections/release-versions/release-versions.ts';
import type { Breaking } from '../../src/domain/enumerations.ts';
import { isDueMs } from '../../src/domain/release/visible.ts';
import { isVersionPlace, placeOfText } from '../../src/domain/release/version-place.ts';
import { afterVersionKey, compareVersionKeys } from '../../src/kernel/version/version-key.ts';
import { createIndexRun, mergeRuns } from '../feed/feed-run.ts';
import type { QueryDeps } from '../shape/query-deps.ts';
import { isLaterByDate, isLaterVersion, mergeVersionRuns, readRun, type VersionRun } from './version-runs.ts';

type Deps = Pick<QueryDeps, 'models'>;

export interface ChangedRange {
  readonly sourceId: string;
  /** How the package may be called, in lower case: of several names in one source, these are wanted. */
  readonly packageNames: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly nowMs: number;
}

export interface ChangedRelease {
  readonly row: FeedRow;
  readonly migrationNotes: string | null;
}

export interface ChangedReleases {
  readonly rangeBasis: 'version' | 'date' | 'none';
  /** The newest first, a few at a time. */
  readonly newestFirst: AsyncIterable<readonly ChangedRelease[]>;
  /** Whether one of them has this verdict, found without a look at the others; null where too many would have to be looked at. */
  readonly hasVerdict: (verdict: Breaking) => Promise<boolean | null>;
}

/** Whose texts are read together: few at first, as most ranges are short. */
const firstChunkReleases = 32;
const chunkReleasesMax = 128;

const countedLanes = ['stable', 'prerelease'] as const;

async function* inChunks<Each>(all: AsyncIterable<Each>): AsyncGenerator<Each[]> {
  let chunk: Each[] = [];
  let size = firstChunkReleases;
  for await (const each of all) {
    chunk.push(each);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
    size = Math.min(2 * size, chunkReleasesMax);
  }
  if (chunk.length > 0) yield chunk;
}

async function* dueOf(rows: AsyncIterable<VersionRow>, nowMs: number): AsyncGenerator<VersionRow> {
  for await (const row of rows) if (isDueMs(row.publishedMs, nowMs)) yield row;
}

const firstOf = async <Each>(all: AsyncIterable<Each>, isWanted: (each: Each) => boolean): Promise<Each | null> => {
  for await (const each of all) if (isWanted(each)) return each;
  return null;
};

/** Null: all names, as none of them is one that was asked for. */
type Names = readonly string[] | null;

const wantedNames = async (deps: Deps, { sourceId, packageNames, nowMs }: ChangedRange): Promise<Names> => {
  const there: string[] = [];
  for (const name of packageNames) {
    const run = { index: 'byName' as const, equals: { sourceId, counted: 1, name } };
    if ((await firstOf(dueOf(readRun(deps, run), nowMs), () => true)) !== null) there.push(name);
  }
  return there.length === 0 ? null : [...there, ''];
};

const hasName = (names: Names, { name }: VersionRow): boolean => names?.some((wanted) => wanted === name) ?? true;

const runsBetween = (sourceId: string, names: Names, bounds: Pick<VersionRun, 'from' | 'to'>): VersionRun[] =>
  names === null
    ? [{ index: 'byPlace', equals: { sourceId, counted: 1 }, ...bounds }]
    : names.map((name) => ({ index: 'byName', equals: { sourceId, counted: 1, name }, ...bounds }));

const notesOf = ({ given, derived }: VersionRow): string | null => given.migrationNotes ?? derived.migrationNotes;

const isCounted = ({ lane }: FeedRow): boolean => countedLanes.some((counted) => counted === lane);

async function* releasesOf(deps: Deps, found: AsyncIterable<VersionRow>, nowMs: number) {
  for await (const versions of inChunks(dueOf(found, nowMs))) {
    const rows = await deps.models.of(releaseFeedProjection).get(versions.map(({ id }) => id));
    const rowOf = new Map(rows.map((row) => [row.id, row]));
    yield versions.flatMap((version): ChangedRelease[] => {
      const row = rowOf.get(version.id);
      // The rows are fed a moment before the versions: what was just taken down or erased is only in the latter.
      return row !== undefined && isCounted(row) ? [{ row, migrationNotes: notesOf(version) }] : [];
    });
  }
}

interface DatedReleases {
  readonly sourceId: string;
  readonly from: number;
  readonly to: number;
}

async function* rowsByDate({ models }: Deps, { sourceId, from, to }: DatedReleases): AsyncGenerator<FeedRow> {
  const open = (lane: string) =>
    createIndexRun(models.of(releaseFeedProjection), {
      index: 'bySource',
      equals: { sourceId, lane },
      from,
      to,
      firstChunkRows: firstChunkReleases,
    });
  const run = mergeRuns(countedLanes.map(open));
  for (;;) {
    await run.ready();
    const row = run.peek();
    if (row === undefined) return;
    run.take();
    yield row;
  }
}

/** Of all names: then every row is shown, until the budget is spent. */
async function* releasesByDate(deps: Deps, dated: DatedReleases) {
  for await (const rows of inChunks(rowsByDate(deps, dated))) {
    const versions = await deps.models.of(releaseVersionsProjection).get(rows.map(({ id }) => id));
    const versionOf = new Map(versions.map((version) => [version.id, version]));
    yield rows.flatMap((row): ChangedRelease[] => {
      const version = versionOf.get(row.id);
      return version ? [{ row, migrationNotes: notesOf(version) }] : [];
    });
  }
}

async function* nothing(): AsyncGenerator<readonly ChangedRelease[]> {}

const noReleases = () => ({ newestFirst: nothing(), hasVerdict: async () => false });

interface VerdictsAmong {
  readonly range: ChangedRange;
  readonly bounds?: Pick<VersionRun, 'from' | 'to'>;
  /** Of those between the bounds. */
  readonly isMeant: (row: VersionRow) => boolean;
}

/** Of those with a verdict so many are looked at, in the range or beside it: they may have long notes. */
const verdictRowsMax = 1_000;

/** What has another verdict costs nothing; what other packages of the source have is stepped over. */
const verdictsAmong =
  (deps: Deps, { range, bounds = {}, isMeant }: VerdictsAmong): ChangedReleases['hasVerdict'] =>
  async (verdict) => {
    let looked = 0;
    async function* meant() {
      const equals = { sourceId: range.sourceId, counted: 1, breaking: verdict };
      for await (const row of readRun(deps, { index: 'byVerdict', equals, ...bounds })) {
        if ((looked += 1) > verdictRowsMax) return;
        if (isMeant(row)) yield row;
      }
    }
    // The row knows first that a release was judged anew.
    const isJudgedSo = ({ row: { given, derived } }: ChangedRelease) =>
      (given.breaking ?? derived.breaking) === verdict;
    for await (const releases of releasesOf(deps, meant(), range.nowMs)) if (releases.some(isJudgedSo)) return true;
    return looked > verdictRowsMax ? null : false;
  };

/** When the newest release with exactly this version was published; null without one, or without a date. */
const dateOf = async (deps: Deps, { sourceId, nowMs }: ChangedRange, names: Names, text: string) => {
  const run = { index: 'byPlace' as const, equals: { sourceId, counted: 1, place: placeOfText(text) } };
  const isMeant = (row: VersionRow) => row.given.version === text.trim() && hasName(names, row);
  const row = await firstOf(dueOf(readRun(deps, run), nowMs), isMeant);
  return row?.publishedMs ?? null;
};

/** The counted releases between two versions of a source, the first one left out (contract 9.2). */
export const changedReleases = async (deps: Deps, range: ChangedRange): Promise<ChangedReleases> => {
  const { sourceId, nowMs } = range;
  const names = await wantedNames(deps, range);
  const [from, to] = [placeOfText(range.from), placeOfText(range.to)];
  if (isVersionPlace(from) && isVersionPlace(to)) {
    if (compareVersionKeys(from, to) >= 0) return { rangeBasis: 'version', ...noReleases() };
    const bounds = { from: afterVersionKey(from), to };
    const found = mergeVersionRuns(deps, runsBetween(sourceId, names, bounds), isLaterVersion);
    const hasVerdict = verdictsAmong(deps, { range, bounds, isMeant: (row) => hasName(names, row) });
    return { rangeBasis: 'version', newestFirst: releasesOf(deps, found, nowMs), hasVerdict };
  }
  const fromMs = await dateOf(deps, range, names, range.from);
  const toMs = fromMs === null ? null : await dateOf(deps, range, names, range.to);
  if (fromMs === null || toMs === null) return { rangeBasis: 'none', ...noReleases() };
  if (fromMs >= toMs) return { rangeBasis: 'date', ...noReleases() };
  const bounds = { from: fromMs + 1, to: toMs }; // dates are whole milliseconds
  const hasVerdict = verdictsAmong(deps, {
    range,
    isMeant: (row) =>
      row.publishedMs !== null && row.publishedMs > fromMs && row.publishedMs <= toMs && hasName(names, row),
  });
  if (names === null) {
    return { rangeBasis: 'date', newestFirst: releasesByDate(deps, { sourceId, ...bounds }), hasVerdict };
  }
  const runs = names.map((name) => ({
    index: 'byNameAndDate' as const,
    equals: { sourceId, counted: 1, name },
    ...bounds,
  }));
  const found = mergeVersionRuns(deps, runs, isLaterByDate);
  return { rangeBasis: 'date', newestFirst: releasesOf(deps, found, nowMs), hasVerdict };
};
