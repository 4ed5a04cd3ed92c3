import type { SourceDocument } from '../../../projections/source/source.ts';
import { isVisible } from '../../domain/release/visible.ts';
import type { DatedList } from '../numbers.ts';
import type { SourceInstants } from '../instants/source-instants.ts';

/** The counted releases of an org to those who see the org. */
export interface OrgInstants {
  readonly sourceCount: number;
  readonly instants: DatedList;
}

type ListedSource = Pick<SourceDocument, 'id' | 'hidden' | 'deletedAt'>;

/** Of an org with more, joining all of them after each new one would cost more than looking at each source. */
const joinedMax = 512;

const byNumber = (a: number, b: number): number => a - b;

/** As if one source had them all: one place in memory to look at, instead of several for each source. */
const joined = (instants: readonly SourceInstants[]): DatedList => {
  if (instants.reduce((sum, { published }) => sum + published.length, 0) > joinedMax) return instants;
  const published = instants.flatMap((each) => each.published).sort(byNumber);
  return [{ published, undatedCount: instants.reduce((sum, { undatedCount }) => sum + undatedCount, 0) }];
};

/** Joined when somebody asks, and kept until a source of the org changes. */
export const createOrgInstants = (
  { sourcesOfOrg }: { readonly sourcesOfOrg: (orgId: string) => readonly ListedSource[] },
  instantsOf: (sourceId: string) => SourceInstants,
) => {
  const byOrg = new Map<string, OrgInstants>();

  return {
    forget: (orgId: string): void => void byOrg.delete(orgId),
    of: (orgId: string): OrgInstants => {
      const known = byOrg.get(orgId);
      if (known !== undefined) return known;
      const sources = sourcesOfOrg(orgId).filter((source) => isVisible(source));
      const instants = joined(sources.map(({ id }) => instantsOf(id)));
      const made = { sourceCount: sources.length, instants };
      byOrg.set(orgId, made);
      return made;
    },
  };
};
