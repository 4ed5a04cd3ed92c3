import { bodiesProjection, bodyPartId } from '../../../../projections/bodies/bodies.ts';
import type { OrgDocument } from '../../../../projections/org/org.ts';
import {
  type ReleaseDocument,
  releaseDetailProjection,
} from '../../../../projections/release-detail/release-detail.ts';
import { type FeedRow, releaseFeedProjection } from '../../../../projections/release-feed/release-feed.ts';
import { type SourceDocument, sourceProjection } from '../../../../projections/source/source.ts';
import { isBodyRef } from '../../../domain/body/body-ref.ts';
import { effectiveRelease } from '../../../domain/release/effective.ts';
import { headlineOf } from '../../../domain/release/headline.ts';
import { dueUntilMs, isVisible } from '../../../domain/release/visible.ts';
import { releaseWebPath } from '../../../domain/release/web-path.ts';
import type { ContributingRelease, SummarizedReleases } from '../../../generation/content-provider.ts';
import type { KeyValue } from '../../../kernel/projection.ts';
import { cutText } from '../../../kernel/text-rules.ts';
import type { ReadModelSet } from '../../../ports/read-models.ts';

export interface ReleaseReads {
  readonly models: ReadModelSet;
  readonly nowMs: number;
  /** Public address of the web pages, without a slash at its end. */
  readonly webBaseUrl: string;
}

/**
 * An overview or summary is made of so many releases, the newest, and of so much of the text of each: sentences are picked
 * on the thread that answers requests, which must not stand still for long.
 */
const releasesMax = 25;
const textCharsMax = 4_000;
const rowsPerPage = 100;
/** Rows of hidden sources that are stepped over before the others are read one by one. */
const rowsMax = 1_000;
const sourcesMax = 200;
/** Releases of one window that are counted. */
const countedMax = 2_000;
const detailsAtOnce = 8;

type Place = readonly KeyValue[];
const placeOf = ({ publishedMs, fetchedMs, id }: FeedRow): Place => [publishedMs, fetchedMs, id];

/** The stable releases alone: what prereleases and coverage say is not shown to everybody (contract 2.9, 2.10). */
const stableRows = (
  { models, nowMs }: ReleaseReads,
  scope: { readonly orgId: string } | { readonly sourceId: string },
  { after, limit, ...bounds }: { from?: number; to?: number; after?: Place | undefined; limit: number },
): Promise<FeedRow[]> =>
  models.of(releaseFeedProjection).query({
    index: 'orgId' in scope ? 'byOrg' : 'bySource',
    equals: { ...scope, lane: 'stable' },
    direction: 'descending',
    to: dueUntilMs(nowMs),
    ...bounds,
    ...(after && { after }),
    limit,
  });

async function visibleSources({ models }: ReleaseReads, orgId: string): Promise<Map<string, SourceDocument>> {
  const found = new Map<string, SourceDocument>();
  let after: string | undefined;
  for (;;) {
    const range = { index: 'byOrg', equals: { orgId }, limit: rowsPerPage, ...(after && { after: [after] }) };
    const page = await models.of(sourceProjection).query(range);
    for (const source of page) if (isVisible(source)) found.set(source.id, source);
    if (page.length < rowsPerPage || found.size >= sourcesMax) return found;
    after = page.at(-1)!.id;
  }
}

async function newestRows(
  reads: ReleaseReads,
  orgId: string,
  sources: ReadonlyMap<string, SourceDocument>,
): Promise<FeedRow[]> {
  const found: FeedRow[] = [];
  let after: Place | undefined;
  for (let seen = 0; seen < rowsMax; seen += rowsPerPage) {
    const page = await stableRows(reads, { orgId }, { after, limit: rowsPerPage });
    found.push(...page.filter(({ sourceId }) => sources.has(sourceId)));
    if (found.length >= releasesMax || page.length < rowsPerPage) return found.slice(0, releasesMax);
    after = placeOf(page.at(-1)!);
  }
  // Nearly all of the newest are of hidden sources: the newest of each of the others are as good.
  const each = Math.max(1, Math.floor(releasesMax / sources.size));
  const own: FeedRow[] = [];
  for (const sourceId of sources.keys()) own.push(...(await stableRows(reads, { sourceId }, { limit: each })));
  const momentOf = ({ publishedMs, fetchedMs }: FeedRow) => publishedMs ?? fetchedMs;
  return own.sort((a, b) => momentOf(b) - momentOf(a)).slice(0, releasesMax);
}

/** Of a long text its first part is enough. */
async function textsOf({ models }: ReleaseReads, details: readonly ReleaseDocument[]): Promise<Map<string, string>> {
  const partIdOf = ({ id, given: { content } }: ReleaseDocument) =>
    isBodyRef(content) ? bodyPartId(`${id}-${content.sha256}`, 0) : null;
  const wanted = details.flatMap((detail) => partIdOf(detail) ?? []);
  const parts = wanted.length === 0 ? [] : await models.of(bodiesProjection).get(wanted);
  const partTexts = new Map(parts.map(({ id, text }) => [id, text]));
  return new Map(
    details.map((detail) => {
      const { content } = detail.given;
      // A part that is missing was erased a moment ago, and its release follows.
      const text = isBodyRef(content) ? (partTexts.get(partIdOf(detail)!) ?? '') : content;
      return [detail.id, cutText(text, textCharsMax)];
    }),
  );
}

export const contributing = (
  { webBaseUrl }: Pick<ReleaseReads, 'webBaseUrl'>,
  detail: ReleaseDocument,
  source: SourceDocument,
  text: string,
): ContributingRelease => {
  const shown = effectiveRelease(detail.given, detail.derived);
  const { title, version, url, publishedAt, breaking, importance } = shown;
  return {
    id: detail.id,
    sourceId: source.id,
    sourceName: source.name,
    headline: headlineOf(shown),
    webUrl: `${webBaseUrl}${releaseWebPath(detail.id, shown)}`,
    fetchedAt: detail.fetchedAt,
    ...{ title, version, url, publishedAt, breaking, importance, text },
  };
};

async function withTexts(
  reads: ReleaseReads,
  rows: readonly FeedRow[],
  sourceOf: (sourceId: string) => SourceDocument,
): Promise<ContributingRelease[]> {
  const releases: ContributingRelease[] = [];
  // Few at once: each may hold a quarter of a megabyte, of which little is kept.
  for (let from = 0; from < rows.length; from += detailsAtOnce) {
    const ids = rows.slice(from, from + detailsAtOnce).map(({ id }) => id);
    const details = await reads.models.of(releaseDetailProjection).get(ids);
    const texts = await textsOf(reads, details);
    const byId = new Map(details.map((detail) => [detail.id, detail]));
    for (const id of ids) {
      const detail = byId.get(id);
      if (detail !== undefined)
        releases.push(contributing(reads, detail, sourceOf(detail.sourceId), texts.get(id) ?? ''));
    }
  }
  return releases;
}

/** The newest releases of an org that everybody sees, the newest first. */
export async function releasesOfOrg(reads: ReleaseReads, org: OrgDocument): Promise<ContributingRelease[]> {
  if (!isVisible(org)) return [];
  const sources = await visibleSources(reads, org.id);
  if (sources.size === 0) return [];
  return withTexts(reads, await newestRows(reads, org.id, sources), (id) => sources.get(id)!);
}

/** Those of a source within a window, the newest with their texts. The source is one that everybody sees. */
export async function releasesOfSource(
  reads: ReleaseReads,
  source: SourceDocument,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<SummarizedReleases> {
  const bounds = { from: fromMs, to: Math.min(toMs, dueUntilMs(reads.nowMs)) };
  const rows: FeedRow[] = [];
  let count = 0;
  let after: Place | undefined;
  while (count < countedMax) {
    const page = await stableRows(reads, { sourceId: source.id }, { ...bounds, after, limit: rowsPerPage });
    rows.push(...page.slice(0, releasesMax - rows.length));
    count += page.length;
    if (page.length < rowsPerPage) break;
    after = placeOf(page.at(-1)!);
  }
  return { releases: await withTexts(reads, rows, () => source), count };
}

/** One release with its text, whatever its lane; null when it is not to be seen. */
export async function releaseToEnrich(
  reads: ReleaseReads,
  releaseId: string,
): Promise<{ readonly detail: ReleaseDocument; readonly source: SourceDocument; readonly text: string } | null> {
  const [detail] = await reads.models.of(releaseDetailProjection).get([releaseId]);
  if (detail === undefined || detail.suppression !== null || detail.coverage !== null) return null;
  const [source] = await reads.models.of(sourceProjection).get([detail.sourceId]);
  if (source === undefined || !isVisible(source)) return null;
  const texts = await textsOf(reads, [detail]);
  return { detail, source, text: texts.get(releaseId) ?? '' };
}
