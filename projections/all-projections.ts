import type { Projection } from '../src/kernel/projection.ts';
import { bodiesProjection } from './bodies/bodies.ts';
import { changelogFilesProjection } from './changelog-files/changelog-files.ts';
import { collectionsProjection } from './collections/collections.ts';
import { deletionsProjection } from './deletions/deletions.ts';
import { entityHistoryProjection } from './entity-history/entity-history.ts';
import { feedChangesProjection } from './feed-changes/feed-changes.ts';
import { instantsProjection } from './instants/instants.ts';
import { lookupsProjection } from './lookups/lookups.ts';
import { noticesProjection } from './notices/notices.ts';
import { orgProjection } from './org/org.ts';
import { overviewsProjection } from './overviews/overviews.ts';
import { pendingProjection } from './pending/pending.ts';
import { playbooksProjection } from './playbooks/playbooks.ts';
import { productProjection } from './product/product.ts';
import { releaseDetailProjection } from './release-detail/release-detail.ts';
import { releaseFeedProjection } from './release-feed/release-feed.ts';
import { releaseVersionsProjection } from './release-versions/release-versions.ts';
import { sourceProjection } from './source/source.ts';
import { summariesProjection } from './summaries/summaries.ts';
import { tagsProjection } from './tags/tags.ts';
import { tokensProjection } from './tokens/tokens.ts';
import { webhooksProjection } from './webhooks/webhooks.ts';

/**
 * Every read model. What a reader follows comes after what it leads to: written in this order, a feed row never names
 * a release whose detail is not there yet, a version no feed row that is not, nor a detail or a changelog file a text;
 * and nothing is gone from a feed before it is known when.
 */
export const allProjections: readonly Projection[] = [
  feedChangesProjection,
  orgProjection,
  productProjection,
  sourceProjection,
  overviewsProjection,
  playbooksProjection,
  entityHistoryProjection,
  summariesProjection,
  collectionsProjection,
  noticesProjection,
  tagsProjection,
  lookupsProjection,
  tokensProjection,
  webhooksProjection,
  bodiesProjection,
  changelogFilesProjection,
  releaseDetailProjection,
  releaseFeedProjection,
  releaseVersionsProjection,
  instantsProjection,
  pendingProjection,
  deletionsProjection,
];

/** Those that hold what was written about a release: when they have passed its erasure, no read model has it any more. */
export const textProjections: readonly Projection[] = [
  bodiesProjection,
  releaseDetailProjection,
  releaseFeedProjection,
  releaseVersionsProjection,
  instantsProjection, // versions, in which somebody may have written anything
];

/** Those that may hold sentences of releases because something was generated from them: an erasure waits for these, too. */
export const generatedTextProjections: readonly Projection[] = [overviewsProjection, summariesProjection];

/** Those that hold what was written about an org, product or source: a purge waits for these. */
export const entityTextProjections: readonly Projection[] = [
  orgProjection,
  productProjection,
  sourceProjection,
  overviewsProjection,
  playbooksProjection,
  entityHistoryProjection,
  summariesProjection,
  changelogFilesProjection,
  bodiesProjection,
  lookupsProjection,
];

/** Those that overviews and summaries are made from. */
export const generationReads: readonly Projection[] = [
  orgProjection,
  sourceProjection,
  bodiesProjection,
  releaseDetailProjection,
  releaseFeedProjection,
];
