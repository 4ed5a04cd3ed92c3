import type { ProductDocument } from '../../projections/product/product.ts';
import type { FeedRow } from '../../projections/release-feed/release-feed.ts';
import { resolveOrg, resolveProductOf } from '../../src/catalogue/resolve.ts';
import { isOrgVisible, isProductVisible, type Sight, sightOn } from '../../src/catalogue/visibility.ts';
import { isWantedOfOrg } from '../../src/catalogue/wanted-sources.ts';
import { lanesOf, type RowLane } from '../../src/domain/release/feed/lane.ts';
import { notFound } from '../../src/kernel/errors.ts';
import { decodeFeedCursor, encodeFeedCursor } from '../feed/feed-cursor.ts';
import { compareFeedOrder, compareToPosition, type FeedPosition, positionOf } from '../feed/feed-run.ts';
import { windowOf } from '../feed/feed-scope.ts';
import { fitting, pageCharsMax, type ReleaseFeedAnswer } from '../feed/release-feed-answer.ts';
import { type OrgReleasesInput, wantedOfOrg } from '../orgs/org-releases.ts';
import { detailCoverage, feedItem, itemParents, revisedAt } from '../shape/release/feed-item.ts';
import type { Asking } from '../shape/query-deps.ts';
import { documentsAt } from './documents-at.ts';
import { coverageCountsAt } from './past-coverage.ts';
import { inTurn } from './in-turn.ts';
import type { PastDeps } from './past-deps.ts';
import { createPastEntities, type PastEntities } from './past-entities.ts';
import { pastReleases, pastTexts } from './past-releases.ts';
import { orgRowsAt, type PastMoment } from './past-rows.ts';
import { rowsSaying } from './past-words.ts';

interface WantedRows extends Pick<OrgReleasesInput, 'sinceMs' | 'untilMs' | 'limit'> {
  readonly sourceIds: ReadonlySet<string>;
  readonly lanes: ReadonlySet<RowLane>;
  readonly after: FeedPosition | null;
}

const isWithin = ({ publishedMs }: FeedRow, wanted: WantedRows): boolean => {
  const { from, to } = windowOf(wanted);
  return publishedMs === null ? from === null : publishedMs >= (from ?? Number.NEGATIVE_INFINITY) && publishedMs <= to;
};

const isWanted = (row: FeedRow, wanted: WantedRows): boolean =>
  wanted.sourceIds.has(row.sourceId) &&
  wanted.lanes.has(row.lane) &&
  isWithin(row, wanted) &&
  (wanted.after === null || compareToPosition(row, wanted.after) > 0);

/**
 * The first of the feed order and one more, of all that come: beside a batch no more than a page is held. What comes behind
 * a full page is not asked for its words.
 */
const firstRows = async (
  batches: AsyncIterable<readonly FeedRow[]>,
  wanted: WantedRows,
  saying: (rows: readonly FeedRow[]) => Promise<readonly FeedRow[]>,
): Promise<FeedRow[]> => {
  const count = wanted.limit + 1;
  let first: FeedRow[] = [];
  for await (const rows of batches) {
    const last = first[count - 1];
    const isAhead = (row: FeedRow): boolean => last === undefined || compareFeedOrder(row, last) < 0;
    const candidates = rows.filter((row) => isWanted(row, wanted) && isAhead(row));
    first = [...first, ...(await saying(candidates))].sort(compareFeedOrder).slice(0, count);
  }
  return first;
};

/** Some rows of a past moment, as somebody sees them. */
interface SeenPast extends PastMoment {
  readonly past: PastEntities;
  readonly rows: readonly FeedRow[];
  readonly sight: Sight;
}

/** A release that was erased since its row was read is left out. */
const itemsOf = async (deps: PastDeps, { past, rows, sight, ...moment }: SeenPast) => {
  const found = await documentsAt(
    deps,
    pastReleases,
    rows.map(({ id }) => id),
    moment.atMs,
  );
  const texts = await pastTexts(deps, [...found.values()]);
  const counts = await coverageCountsAt(deps, rows, moment);
  return rows.flatMap(({ id, sourceId }) => {
    const [release, content, source] = [found.get(id), texts.get(id), past.reads.source(sourceId)];
    if (release === undefined || content === undefined || source === undefined) return [];
    const item = feedItem(
      deps.webBaseUrl,
      release,
      detailCoverage(release, counts),
      itemParents(past.reads, source, sight),
    );
    return [{ ...item, content, [revisedAt]: release.updatedAt }];
  });
};

interface AskedOrg {
  readonly id: string;
  /** The one that was asked for, as it is today. */
  readonly product: ProductDocument | null;
  readonly after: FeedPosition | null;
}

const readPage = async (
  deps: PastDeps,
  { id, product: today, after }: AskedOrg,
  input: OrgReleasesInput & { readonly atMs: number },
  { nowMs, admin }: Asking,
) => {
  const { atMs, limit } = input;
  const sight = sightOn(admin, id, today?.id ?? null);
  const past = createPastEntities(deps, { atMs, sight });
  await past.loadWholeOrg(id);
  const org = past.reads.org(id);
  if (org === undefined || !isOrgVisible(org, sight)) throw notFound('org', input.org);
  const product = today && (past.reads.product(today.id) ?? null);
  if (today !== null && (product === null || !isProductVisible(past.reads, product, sight))) {
    throw notFound('product', input.product ?? '');
  }
  const isWantedSource = isWantedOfOrg(past.reads, { orgId: id, product, sight }, wantedOfOrg(input));
  const sources = past.reads.sourcesOfOrg(id).filter(isWantedSource);
  const wanted = {
    ...input,
    sourceIds: new Set(sources.map((source) => source.id)),
    lanes: new Set(lanesOf(input)),
    after,
  };
  const saying = rowsSaying(deps, input.words ?? null, atMs);
  const found = await firstRows(orgRowsAt(deps, id, { atMs, nowMs }), wanted, saying);
  const rows = fitting(found.slice(0, limit), pageCharsMax);
  const last = rows.at(-1);
  const next = rows.length < found.length && last !== undefined ? positionOf(last) : null;
  return { releases: await itemsOf(deps, { past, rows, sight, atMs, nowMs }), next };
};

/** The releases of all sources of an org, and their texts, as they were recorded at a moment (contract 3.3). */
export const orgReleasesAt = async (
  deps: PastDeps,
  input: OrgReleasesInput & { readonly atMs: number },
  asking: Asking,
): Promise<ReleaseFeedAnswer> => {
  const { words, ...others } = input;
  const { limit, cursor, sent } = others;
  const { id } = resolveOrg(deps.catalogue, input.org, asking.admin);
  const product = input.product === null ? null : resolveProductOf(deps.catalogue, id, input.product, asking.admin);
  const scope = { feed: 'org-releases', entity: id, filters: sent };
  const asked = { id, product, after: decodeFeedCursor(cursor, scope) };
  const readsTexts = (words ?? null) !== null;
  const question = { orgId: id, readsTexts, asked: ['org-releases', others, words?.tokens ?? null, asking.admin] };
  const { releases, next } = await inTurn(deps, question, () => readPage(deps, asked, input, asking));
  return { releases, pagination: { nextCursor: encodeFeedCursor(next, scope), limit } };
};
