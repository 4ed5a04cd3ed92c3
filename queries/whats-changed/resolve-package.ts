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
  | {
      readonly source: SourceDocument;
      readonly resolvedVia: 'id' | 'package' | 'slug' | 'coordinate';
      /** How releases may call it: in lower case, none of them empty. */
      readonly names: readonly string[];
    }
  | { readonly source: null; readonly reason: 'untracked' | 'ecosystem_required' };

type Deps = Pick<QueryDeps, 'models' | 'catalogue'>;

/** pypi takes `-`, `_` and `.` for the same, and each of them is in use: so whoever spells a name asks for all of them. */
const spellingsOf = (ecosystem: PackageEcosystem, name: string): string[] => {
  const normalized = normalizePackageName(ecosystem, name);
  return ecosystem === 'pypi'
    ? [...new Set(['-', '_', '.'].map((mark) => normalized.replaceAll('-', mark)))]
    : [normalized];
};

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
  const names = [name.trim().toLowerCase()].filter((text) => text !== '');
  const byId = isId('src', name) ? catalogue.source(name) : undefined;
  if (byId !== undefined && isSourceVisible(catalogue, byId, sightOn(admin, byId.id, byId.orgId))) {
    return { source: byId, resolvedVia: 'id', names };
  }
  if (ecosystem === 'npm' || ecosystem === 'pypi') {
    const source = await sourceOfPackage(deps, ecosystem, name);
    if (source !== undefined) return { source, resolvedVia: 'package', names: spellingsOf(ecosystem, name) };
  }
  if (catalogue.sourcesBySlug(name).some((source) => isSourceVisible(catalogue, source))) {
    return { source: resolveSourceSlug(catalogue, name, false), resolvedVia: 'slug', names };
  }
  const repository = coordinate.safeParse(name);
  if (!repository.success) return { source: null, reason: 'untracked' };
  if (ecosystem !== 'github') return { source: null, reason: 'ecosystem_required' };
  const source = await sourceByCoordinate(deps, repository.data);
  return source !== null && isSourceVisible(catalogue, source)
    ? { source, resolvedVia: 'coordinate', names }
    : { source: null, reason: 'untracked' };
};
