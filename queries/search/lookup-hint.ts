import { allSight, isOrgVisible, isSourceVisible, publicSight } from '../../src/catalogue/visibility.ts';
import { githubHandleOf } from '../../src/domain/org/accounts.ts';
import { canExist, coordinate, coordinateParts } from '../../src/domain/source/github-coordinate.ts';
import { sourceByCoordinate, sourceByCoordinateReads } from '../sources/source-by-coordinate.ts';
import type { Asking, QueryDeps } from '../shape/query-deps.ts';

export const lookupHintReads = sourceByCoordinateReads;

type Deps = Pick<QueryDeps, 'models' | 'catalogue'>;

/** The org that is called as the owner, unless it says that its account is another. */
const orgOfOwner = ({ catalogue }: Deps, owner: string) => {
  const org = catalogue.orgBySlug(owner.toLowerCase());
  const handle = org === undefined ? null : githubHandleOf(org.accounts);
  return handle === null || handle.toLowerCase() === owner.toLowerCase() ? org : undefined;
};

/**
 * Whether a repository is here that somebody names as owner/repo (contract 7.1); null when it is none. Nobody else is asked.
 * Who does not see a hidden source is told as much as of one that is not there.
 */
export const lookupHint = async (deps: Deps, { q }: { readonly q: string }, { admin }: Pick<Asking, 'admin'>) => {
  const named = coordinate.safeParse(q.trim());
  if (!named.success || !canExist(coordinateParts(named.data))) return null;
  const { catalogue } = deps;
  const sight = admin ? allSight : publicSight;
  const found = await sourceByCoordinate(deps, named.data);
  const source = found !== null && isSourceVisible(catalogue, found, sight) ? found : null;
  const org =
    source === null
      ? orgOfOwner(deps, coordinateParts(named.data).owner)
      : source.orgId === null
        ? undefined
        : catalogue.org(source.orgId);
  return {
    provider: 'github' as const,
    coordinate: named.data,
    status: source === null ? ('untracked' as const) : ('tracked' as const),
    sourceId: source?.id ?? null,
    orgSlug: org !== undefined && isOrgVisible(org, sight) ? org.slug : null,
  };
};
