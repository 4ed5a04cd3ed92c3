import { type ReleaseDocument, releaseDetailProjection } from '../../projections/release-detail/release-detail.ts';
import { DomainError } from '../../src/kernel/errors.ts';
import { presentTexts } from '../../src/texts/release-texts.ts';
import { documentsAt, type StreamsOfModel } from './documents-at.ts';
import type { PastDeps } from './past-deps.ts';

/** Releases as they were, with the texts of then. */
export const pastReleases: StreamsOfModel<ReleaseDocument> = {
  projection: releaseDetailProjection,
  category: 'release',
};

/**
 * Their texts, and none of one that was erased since: until its stream is truncated it is still what it was then. An event
 * may have been recorded that the bodies have yet to see: then the next try tells.
 */
export const pastTexts = async (
  deps: Pick<PastDeps, 'streams' | 'models'>,
  releases: readonly ReleaseDocument[],
): Promise<ReadonlyMap<string, string>> => {
  const texts = await presentTexts(deps, releases);
  const missing = releases.filter(({ id }) => !texts.has(id)).map(({ id }) => id);
  const kept = await documentsAt(deps, pastReleases, missing, Number.POSITIVE_INFINITY);
  if (kept.size > 0) throw new DomainError('service_unavailable');
  return texts;
};
