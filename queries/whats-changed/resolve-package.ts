import { lookupsProjection } from '../../projections/lookups/lookups.ts';
import type { SourceDocument } from '../../projections/source/source.ts';
import { resolveSourceSlug } from '../../src/catalogue/resolve.ts';
import { isSourceVisible, sightOn } from '../../src/catalogue/visibility.ts';
import type { Ecosystem, PackageEcosystem } from '../../src/domain/enumerations.ts';
import { normalizePackageName } from '../../src/domain/name/name-streams.ts';
import { coordinate } from '../../src/domain/source/github-coordinate.ts';
import { packageKey } from '../../src/domain/source/packages.ts';
import { isId } from '../../src/kernel/ids.ts';
import type { Asking, QueryDeps } from '../shape/query-deps.ts';
import { sourceByCoordinate } from '../sources/source-by-coordinate.ts';

export interface NamedPackage {
  readonly package: string;
  readonly ecosystem: Ecosystem | null;
}

export type ResolvedPackage =
  | { readonly source: SourceDocument; readonly resolvedVia: 'id' | 'package' | 'slug' | 'coordinate' }
  | { readonly source: null; readonly reason: 'untracked' | 'ecosystem_required' };

type Deps = Pick<QueryDeps, 'models' | 'catalogue'>;

/** A package belongs to one source; a few more rows are of sources that were deleted meanwhile. */
const rowsMax = 100;

const sourceOfPackage = async (
  { models, catalogue }: Deps,
  ecosystem: PackageEcosystem,
  name: string,
): Promise<SourceDocument | undefined> => {
  const key = packageKey({ ecosystem, name: normalizePackageName(ecosystem, name) });
  const equals = { kind: 'package', key };
  const rows = await models.of(lookupsProjection).query({ index: 'byKey', equals, limit: rowsMax });
  return rows
    .flatMap(({ entityId }) => catalogue.source(entityId) ?? [])
    .find((source) => isSourceVisible(catalogue, source));
};

/**
 * The source that tells of a package (contract 9.2): named by its id, as a package of a registry, by its slug, or as a
 * repository. Only an admin who names the id sees a hidden one.
 */
export const resolvePackage = async (
  deps: Deps,
  { package: name, ecosystem }: NamedPackage,
  { admin }: Pick<Asking, 'admin'>,
): Promise<ResolvedPackage> => {
  const { catalogue } = deps;
  const byId = isId('src', name) ? catalogue.source(name) : undefined;
  if (byId !== undefined && isSourceVisible(catalogue, byId, sightOn(admin, byId.id, byId.orgId))) {
    return { source: byId, resolvedVia: 'id' };
  }
  if (ecosystem === 'npm' || ecosystem === 'pypi') {
    const source = await sourceOfPackage(deps, ecosystem, name);
    if (source !== undefined) return { source, resolvedVia: 'package' };
  }
  if (catalogue.sourcesBySlug(name).some((source) => isSourceVisible(catalogue, source))) {
    return { source: resolveSourceSlug(catalogue, name, false), resolvedVia: 'slug' };
  }
  const repository = coordinate.safeParse(name);
  if (!repository.success) return { source: null, reason: 'untracked' };
  if (ecosystem !== 'github') return { source: null, reason: 'ecosystem_required' };
  const source = await sourceByCoordinate(deps, repository.data);
  return source !== null && isSourceVisible(catalogue, source)
    ? { source, resolvedVia: 'coordinate' }
    : { source: null, reason: 'untracked' };
};
