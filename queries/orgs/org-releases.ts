import type { ProductDocument } from '../../projections/product/product.ts';
import type { SourceDocument } from '../../projections/source/source.ts';
import { catalogueReads, type EntityReads } from '../../src/catalogue/catalogue.ts';
import { resolveOrg, resolveProductOf } from '../../src/catalogue/resolve.ts';
import { resolvedKind, type Sight, sightOn, visibleSourcesOf } from '../../src/catalogue/visibility.ts';
import { sourcesOfOrg, theseSources } from '../../src/catalogue/wanted-sources.ts';
import type { Kind, SourceType } from '../../src/domain/enumerations.ts';
import { type LaneChoice, lanesOf } from '../../src/domain/release/feed/lane.ts';
import type { FeedPaging } from '../feed/feed-cursor.ts';
import type { FeedWords } from '../feed/matching-page.ts';
import type { Asking, QueryDeps } from '../shape/query-deps.ts';
import {
  type PagedFeed,
  type ReleaseFeedAnswer,
  releaseFeedAnswer,
  releaseFeedReads,
} from '../feed/release-feed-answer.ts';

export interface OrgReleasesInput extends LaneChoice, FeedPaging {
  readonly org: string;
  readonly sourceType: SourceType | null;
  readonly kind: Kind | null;
  /** Slug or id of a product of the org. */
  readonly product: string | null;
  readonly sinceMs: number | null;
  readonly untilMs: number | null;
  /** What they must say. */
  readonly words?: Pick<FeedWords, 'index' | 'tokens'> | null;
}

export const orgReleasesReads = [...catalogueReads, ...releaseFeedReads];

/** The sources of an org whose releases are asked for. */
export const wantedSourcesOf = (
  catalogue: EntityReads,
  {
    orgId,
    product,
    sight,
  }: { readonly orgId: string; readonly product: ProductDocument | null; readonly sight: Sight },
  { sourceType, kind }: Pick<OrgReleasesInput, 'sourceType' | 'kind'>,
): SourceDocument[] =>
  visibleSourcesOf(catalogue, orgId, sight).filter(
    (source) =>
      (sourceType === null || source.type === sourceType) &&
      (kind === null || resolvedKind(catalogue, source, sight) === kind) &&
      (product === null || source.productId === product.id),
  );

/** The releases of all sources of an org (contract 3.3). */
export const orgFeed = (
  { catalogue }: Pick<QueryDeps, 'catalogue'>,
  input: OrgReleasesInput,
  { nowMs, admin }: Asking,
): PagedFeed => {
  const { sinceMs, untilMs } = input;
  const org = resolveOrg(catalogue, input.org, admin);
  const product = input.product === null ? null : resolveProductOf(catalogue, org.id, input.product, admin);
  const sight = sightOn(admin, org.id, product?.id ?? null);
  const scope = { orgId: org.id, product, sight };
  const { words = null, sourceType } = input;
  // What only the type decides is at hand in the catalogue; else each source is looked at.
  const isByType = product === null && input.kind === null && words === null;
  const listed = isByType ? [] : wantedSourcesOf(catalogue, scope, input);
  return {
    feed: 'org-releases',
    entity: org.id,
    paging: input,
    sight,
    words: words && { ...words, sourceIds: new Set(listed.map(({ id }) => id)) },
    request: {
      orgId: org.id,
      sources: isByType
        ? sourcesOfOrg(catalogue, scope, (type) => sourceType === null || type === sourceType)
        : theseSources(catalogue, listed),
      lanes: lanesOf(input),
      sinceMs,
      untilMs,
      nowMs,
    },
  };
};

export const orgReleases = async (
  deps: Pick<QueryDeps, 'models' | 'catalogue' | 'webBaseUrl'>,
  input: OrgReleasesInput,
  asking: Asking,
): Promise<ReleaseFeedAnswer> => releaseFeedAnswer(deps, orgFeed(deps, input, asking));
