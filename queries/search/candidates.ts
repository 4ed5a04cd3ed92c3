import {
  type ChangelogFileDocument,
  changelogFilesProjection,
} from '../../projections/changelog-files/changelog-files.ts';
import { type FeedRow, releaseFeedProjection } from '../../projections/release-feed/release-feed.ts';
import { isDueMs } from '../../src/domain/release/visible.ts';
import type { Document } from '../../src/kernel/projection.ts';
import type { ReadModel } from '../../src/ports/read-models.ts';
import type { SearchKind } from '../../src/ports/search-index.ts';
import { type ChunkPlace, parseChunkDocumentId } from '../../src/search/chunks/chunk-document.ts';
import type { RankedList } from '../../src/search/ranking/fused-hits.ts';
import { windowOf } from '../feed/feed-scope.ts';
import type { QueryDeps } from '../shape/query-deps.ts';
import type { SearchScope } from './search-scope.ts';

export interface ShownChunk extends ChunkPlace {
  readonly file: ChangelogFileDocument;
}

/** Which of what the index has are to be shown. */
export interface WantedHits {
  readonly scope: SearchScope;
  readonly sinceMs: number | null;
  readonly untilMs: number | null;
  readonly includeCoverage: boolean;
  readonly nowMs: number;
}

/** What is known of the hits of an index, which may be a moment behind: the read models say what is shown. */
export interface Candidates {
  /** Reads what is not known of them yet. */
  readonly learn: (lists: readonly RankedList[]) => Promise<void>;
  /** Undefined for what is not shown. */
  readonly dateOf: (kind: SearchKind, id: string) => number | null | undefined;
  readonly release: (id: string) => FeedRow | undefined;
  readonly chunk: (id: string) => ShownChunk | undefined;
}

/** Documents that are read in one call, so that no call takes long. */
const readAtOnce = 500;

async function readAll<Doc extends Document>(model: ReadModel<Doc>, ids: readonly string[]): Promise<Doc[]> {
  const found: Doc[] = [];
  for (let at = 0; at < ids.length; at += readAtOnce) found.push(...(await model.get(ids.slice(at, at + readAtOnce))));
  return found;
}

export function createCandidates(deps: Pick<QueryDeps, 'models'>, wanted: WantedHits): Candidates {
  const { scope, includeCoverage, nowMs } = wanted;
  const { from, to } = windowOf(wanted);
  const known = new Set<string>();
  const releases = new Map<string, FeedRow>();
  const chunks = new Map<string, ShownChunk>();

  const isWithin = (publishedMs: number | null): boolean =>
    publishedMs === null ? from === null : publishedMs >= (from ?? 0) && publishedMs <= to;

  const isShown = ({ sourceId, suppressed, coverageOf, publishedMs }: FeedRow): boolean =>
    !suppressed &&
    (includeCoverage || coverageOf === null) &&
    isDueMs(publishedMs, nowMs) &&
    isWithin(publishedMs) &&
    scope.hasSource(sourceId);

  const learnReleases = async (ids: readonly string[]): Promise<void> => {
    const rows = await readAll(deps.models.of(releaseFeedProjection), ids);
    for (const row of rows) if (isShown(row)) releases.set(row.id, row);
  };

  const learnChunks = async (ids: readonly string[]): Promise<void> => {
    const places = ids.flatMap((id) => {
      const place = parseChunkDocumentId(id);
      return place === null ? [] : [{ id, place }];
    });
    const fileIds = [...new Set(places.map(({ place }) => place.fileId))];
    const found = await readAll(deps.models.of(changelogFilesProjection), fileIds);
    const files = new Map(found.map((file) => [file.id, file]));
    for (const { id, place } of places) {
      const file = files.get(place.fileId);
      // The file may have become shorter since it was cut.
      const isThere = file !== undefined && place.offset + place.length <= file.chars;
      if (isThere && scope.hasSource(file.sourceId)) chunks.set(id, { ...place, file });
    }
  };

  const unknownOf = (kind: SearchKind, lists: readonly RankedList[]): string[] => {
    const ids = lists.filter((list) => list.kind === kind).flatMap(({ hits }) => hits.map(({ id }) => id));
    const unknown = [...new Set(ids)].filter((id) => !known.has(id));
    for (const id of unknown) known.add(id);
    return unknown;
  };

  return {
    learn: async (lists) => {
      await learnReleases(unknownOf('release', lists));
      await learnChunks(unknownOf('chunk', lists));
    },
    dateOf: (kind, id) => (kind === 'release' ? releases.get(id)?.publishedMs : chunks.has(id) ? null : undefined),
    release: (id) => releases.get(id),
    chunk: (id) => chunks.get(id),
  };
}
