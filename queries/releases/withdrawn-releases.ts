import { orgProjection } from '../../projections/org/org.ts';
import { type ReleaseDocument, releaseDetailProjection } from '../../projections/release-detail/release-detail.ts';
import { sourceProjection } from '../../projections/source/source.ts';
import { isVisible } from '../../src/domain/release/visible.ts';
import type { QueryDeps } from '../shape/query-deps.ts';

export const withdrawnReleasesReads = [releaseDetailProjection, sourceProjection, orgProjection];

/**
 * Those of the releases that were announced and are visible to nobody any more. One that is not known here is not
 * withdrawn: it may only not have been projected yet.
 */
export async function withdrawnReleases(
  { models }: Pick<QueryDeps, 'models'>,
  { releaseIds }: { readonly releaseIds: readonly string[] },
): Promise<ReadonlySet<string>> {
  const known = await models.of(releaseDetailProjection).get([...new Set(releaseIds)]);
  const [knownSources, knownOrgs] = await Promise.all([
    models.of(sourceProjection).get([...new Set(known.map(({ sourceId }) => sourceId))]),
    models.of(orgProjection).get([...new Set(known.flatMap(({ orgId }) => orgId ?? []))]),
  ]);
  const gone = new Set([...knownSources, ...knownOrgs].filter((entity) => !isVisible(entity)).map(({ id }) => id));
  const isWithdrawn = ({ sourceId, orgId, suppression }: ReleaseDocument) =>
    suppression !== null || gone.has(sourceId) || gone.has(orgId ?? '');
  return new Set(known.filter(isWithdrawn).map(({ id }) => id));
}
