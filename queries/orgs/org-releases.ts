import { catalogueReads } from '../../src/catalogue/catalogue.ts';
import { resolveOrg, resolveProductOf } from '../../src/catalogue/resolve.ts';
import { sightOn } from '../../src/catalogue/visibility.ts';
import { sourcesOfOrg, type WantedOfOrg } from '../../src/catalogue/wanted-sources.ts';
import { type Kind, type SourceType, sourceTypes } from '../../src/domain/enumerations.ts';
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

/** Which sources of the org are asked for. */
export const wantedOfOrg = ({ sourceType, kind }: Pick<OrgReleasesInput, 'sourceType' | 'kind'>): WantedOfOrg => ({
  types: sourceType === null ? sourceTypes : [sourceType],
  kind,
});

/** The releases of all sources of an org (contract 3.3). */
export const orgFeed = (
  { catalogue }: Pick<QueryDeps, 'catalogue'>,
  input: OrgReleasesInput,
  { nowMs, admin }: Asking,
): PagedFeed => {
  const { sinceMs, untilMs, words = null } = input;
  const org = resolveOrg(catalogue, input.org, admin);
  const product = input.product === null ? null : resolveProductOf(catalogue, org.id, input.product, admin);
  const sight = sightOn(admin, org.id, product?.id ?? null);
  const sources = sourcesOfOrg(catalogue, { orgId: org.id, product, sight }, wantedOfOrg(input));
  return {
    feed: 'org-releases',
    entity: org.id,
    paging: input,
    sight,
    words: words && { ...words, sourceIds: sources.ids() },
    request: {
      orgId: org.id,
      sources,
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
