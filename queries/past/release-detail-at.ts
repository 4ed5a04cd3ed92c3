import { sightOn } from '../../src/catalogue/visibility.ts';
import { notFound } from '../../src/kernel/errors.ts';
import { isReleaseShown, type ReleaseDetail, releaseDetailOf, shownRelease } from '../releases/release-detail.ts';
import type { Asking } from '../shape/query-deps.ts';
import { documentsAt } from './documents-at.ts';
import { coverageCountsAt } from './past-coverage.ts';
import type { PastDeps } from './past-deps.ts';
import { createPastEntities } from './past-entities.ts';
import { pastReleases, pastTexts } from './past-releases.ts';

/** The release as it was known at a moment, to those who see it today and would have seen it then (contract 6.2). */
export const releaseDetailAt = async (
  deps: PastDeps,
  { release: identifier, atMs }: { readonly release: string; readonly atMs: number },
  asking: Asking,
): Promise<ReleaseDetail> => {
  const { nowMs, admin } = asking;
  const today = await shownRelease(deps, identifier, asking);
  const { id, orgId } = today.source;
  const past = createPastEntities(deps, { atMs, sight: sightOn(admin, id, orgId) });
  await past.loadSources([id]);
  const source = past.reads.source(id);
  await past.loadOrgs(orgId === null ? [] : [orgId]);
  await past.loadProducts(source?.productId == null ? [] : [source.productId]);
  const release = (await documentsAt(deps, pastReleases, [today.release.id], atMs)).get(today.release.id);
  const catalogue = past.reads;
  const then = { nowMs: atMs, admin };
  if (release === undefined || source === undefined || !isReleaseShown({ catalogue }, release, source, then)) {
    throw notFound('release', identifier);
  }
  const content = (await pastTexts(deps, [release])).get(release.id);
  if (content === undefined) throw notFound('release', identifier);
  const counts = await coverageCountsAt(deps, [release], { atMs, nowMs });
  return releaseDetailOf({ ...deps, catalogue }, { release, source, content, counts }, admin);
};
