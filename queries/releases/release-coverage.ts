import {
  type CoverageDecision,
  type ReleaseDocument,
  releaseDetailProjection,
} from '../../projections/release-detail/release-detail.ts';
import { catalogueReads } from '../../src/catalogue/catalogue.ts';
import { effectiveRelease } from '../../src/domain/release/effective.ts';
import { notFound } from '../../src/kernel/errors.ts';
import { releaseIdOfPath } from '../../src/kernel/ids.ts';
import { isReleaseShown } from './release-detail.ts';
import { orgCard, orgOf } from '../shape/release/feed-item.ts';
import type { Asking, QueryDeps } from '../shape/query-deps.ts';

export const releaseCoverageReads = [...catalogueReads, releaseDetailProjection];

type CoverageDeps = Pick<QueryDeps, 'models' | 'catalogue'>;

const siblingOf = ({ catalogue }: CoverageDeps, release: ReleaseDocument) => {
  const { id, sourceId, given, derived } = release;
  const { version, title, publishedAt, media } = effectiveRelease(given, derived);
  const source = catalogue.source(sourceId);
  const org = source === undefined ? null : orgOf(catalogue, source);
  return {
    id,
    version,
    title,
    sourceName: source?.name ?? '',
    publishedAt,
    org: org && orgCard(org),
    thumbnail: media.find(({ type }) => type === 'image')?.url ?? null,
  };
};

const linkRow = (deps: CoverageDeps, coverageId: string, decision: CoverageDecision, sibling: ReleaseDocument) => ({
  coverageId,
  canonicalId: decision.canonicalId,
  reason: decision.reason,
  decidedBy: decision.decidedBy,
  decidedAt: decision.decidedAt,
  sibling: siblingOf(deps, sibling),
});

/** What a release covers, or what covers it (contract 6.3), as far as whoever asks sees it. */
export const releaseCoverage = async (
  deps: CoverageDeps,
  { release: identifier }: { readonly release: string },
  asking: Asking,
) => {
  const { models, catalogue } = deps;
  const isShown = (release: ReleaseDocument): boolean => {
    const source = catalogue.source(release.sourceId);
    return source !== undefined && isReleaseShown(deps, release, source, asking);
  };
  const shown = async (ids: readonly string[]): Promise<ReleaseDocument[]> =>
    ids.length === 0 ? [] : (await models.of(releaseDetailProjection).get([...new Set(ids)])).filter(isShown);

  const id = releaseIdOfPath(identifier);
  const [release] = id === null ? [] : await shown([id]);
  if (release === undefined) throw notFound('release', identifier);
  const { coverage, claims } = release;
  const [canonical] = coverage === null ? [] : await shown([coverage.canonicalId]);
  const claimed = await shown(claims.map(({ coverageId }) => coverageId));
  const covers = claimed.flatMap((sibling) =>
    sibling.coverage?.canonicalId === release.id ? [linkRow(deps, sibling.id, sibling.coverage, sibling)] : [],
  );
  return {
    role:
      coverage !== null ? ('coverage' as const) : covers.length > 0 ? ('canonical' as const) : ('standalone' as const),
    canonical: coverage && canonical ? linkRow(deps, release.id, coverage, canonical) : null,
    covers: covers.sort((a, b) => (a.coverageId < b.coverageId ? -1 : 1)),
  };
};
