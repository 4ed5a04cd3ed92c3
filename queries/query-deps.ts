import type { BodyPart } from '../projections/bodies/bodies.ts';
import type { FeedRow } from '../projections/release-feed/release-feed.ts';
import type { ReleaseDocument } from '../projections/release-detail/release-detail.ts';
import type { Catalogue } from '../src/catalogue/catalogue.ts';
import type { ReadModel } from '../src/ports/read-models.ts';
import type { FetchState } from '../src/records/fetch-state.ts';

/** What queries read; each names the parts that it needs. */
export interface QueryDeps {
  readonly catalogue: Catalogue;
  readonly releaseFeed: ReadModel<FeedRow>;
  readonly releaseDetail: ReadModel<ReleaseDocument>;
  readonly bodies: ReadModel<BodyPart>;
  readonly fetchState: (sourceId: string) => FetchState | undefined;
  /** Public address of the web pages, without a slash at its end. */
  readonly webBaseUrl: string;
}

/** Who asks, and when. */
export interface Asking {
  readonly nowMs: number;
  readonly admin: boolean;
}

/** Read models behind each part: a reader that waits for a position waits for these. */
export const catalogueReads = ['org', 'product', 'source', 'instants'] as const;
export const releaseReads = ['bodies', 'release-detail', 'release-feed'] as const;
