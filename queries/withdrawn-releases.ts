import type { OrgDocument } from '../projections/org/org.ts';
import type { ReleaseDocument } from '../projections/release-detail/release-detail.ts';
import type { SourceDocument } from '../projections/source/source.ts';
import type { ReadModel } from '../src/ports/read-models.ts';

export interface WithdrawnReleasesDeps {
  readonly releases: ReadModel<ReleaseDocument>;
  readonly sources: ReadModel<SourceDocument>;
  readonly orgs: ReadModel<OrgDocument>;
}

const isGone = ({ hidden, deletedAt }: { readonly hidden: boolean; readonly deletedAt: string | null }): boolean =>
  hidden || deletedAt !== null;

/**
 * Those of the releases that were announced and are visible to nobody any more. One that is not known here is not
 * withdrawn: it may only not have been projected yet.
 */
export async function withdrawnReleases(
  { releases, sources, orgs }: WithdrawnReleasesDeps,
  { releaseIds }: { readonly releaseIds: readonly string[] },
): Promise<ReadonlySet<string>> {
  const known = await releases.get([...new Set(releaseIds)]);
  const [knownSources, knownOrgs] = await Promise.all([
    sources.get([...new Set(known.map(({ sourceId }) => sourceId))]),
    orgs.get([...new Set(known.flatMap(({ orgId }) => orgId ?? []))]),
  ]);
  const gone = new Set([...knownSources, ...knownOrgs].filter(isGone).map(({ id }) => id));
  const isWithdrawn = ({ sourceId, orgId }: ReleaseDocument) => gone.has(sourceId) || gone.has(orgId ?? '');
  return new Set(known.filter(isWithdrawn).map(({ id }) => id));
}
