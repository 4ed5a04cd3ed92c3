import type { SourceDocument } from '../../../projections/source/source.ts';
import { isVisible } from '../../domain/release/visible.ts';
import type { SourceInstants } from '../instants/source-instants.ts';
import { createPublicSources, type SourcesByType } from './public-sources.ts';

/** Fewer are put in order by themselves in less than a millisecond, and lists of all small orgs would take much memory. */
const sourcesOfLargeMin = 512;

export interface LargeOrgSourcesDeps {
  readonly source: (id: string) => SourceDocument | undefined;
  readonly sourcesOfOrg: (orgId: string) => readonly Pick<SourceDocument, 'id'>[];
  readonly instantsOf: (sourceId: string) => SourceInstants;
  /** How many make an org a large one. */
  readonly sourcesMin?: number;
}

/** The sources of orgs that have very many, kept as those of the whole registry are. */
export const createLargeOrgSources = ({
  source: sourceOf,
  sourcesOfOrg,
  instantsOf,
  sourcesMin = sourcesOfLargeMin,
}: LargeOrgSourcesDeps) => {
  const counts = new Map<string, number>();
  const kept = new Map<string, ReturnType<typeof createPublicSources>>();

  const keep = (orgId: string) => {
    const sources = createPublicSources({
      source: sourceOf,
      isPublic: (source) => source.orgId === orgId && isVisible(source),
      categoryOf: () => null,
      instantsOf,
    });
    for (const { id } of sourcesOfOrg(orgId)) sources.place(id);
    kept.set(orgId, sources);
  };

  const count = (orgId: string, added: 1 | -1) => {
    const having = (counts.get(orgId) ?? 0) + added;
    if (having === 0) counts.delete(orgId);
    else counts.set(orgId, having);
    if (having < sourcesMin) kept.delete(orgId);
    else if (!kept.has(orgId)) keep(orgId);
  };

  return {
    /** After the source or its releases changed; `before` and `after` are its orgs. */
    place: (sourceId: string, before: string | null, after: string | null) => {
      if (before !== after) {
        if (before !== null) count(before, -1);
        if (after !== null) count(after, 1);
      }
      for (const orgId of new Set([before, after])) if (orgId !== null) kept.get(orgId)?.place(sourceId);
    },
    /** Those that are not hidden or deleted themselves and have releases; undefined when the org is not large. */
    of: (orgId: string): SourcesByType | undefined => kept.get(orgId)?.ofTypes,
  };
};
