import type { SourceDocument } from '../../projections/source/source.ts';
import type { Category, SourceType } from '../domain/enumerations.ts';
import type { Catalogue } from './catalogue.ts';
import {
  compareFeedPlaces,
  type NewestOfSource,
  newestOfSource,
  type WantedReleases,
} from './instants/newest-of-source.ts';
import { isSourceVisible, resolvedCategory, type Sight } from './visibility.ts';

/** The sources whose releases a feed shows. */
export interface WantedSources {
  readonly count: number;
  readonly has: (sourceId: string) => boolean;
  /** Those that have something of what is wanted, by the newest of it. */
  readonly newestFirst: (wanted: WantedReleases) => Iterable<NewestOfSource>;
}

export const theseSources = (catalogue: Catalogue, sources: readonly Pick<SourceDocument, 'id'>[]): WantedSources => {
  const ids = new Set(sources.map(({ id }) => id));
  return {
    count: ids.size,
    has: (sourceId) => ids.has(sourceId),
    newestFirst: (wanted) =>
      [...ids].flatMap((id) => newestOfSource(id, catalogue.instantsOf(id), wanted) ?? []).sort(compareFeedPlaces),
  };
};

/** Those of an org that are seen, of some types. */
export const sourcesOfOrg = (
  catalogue: Catalogue,
  { orgId, sight }: { readonly orgId: string; readonly sight: Sight },
  isWanted: (type: SourceType) => boolean,
): WantedSources => {
  const isShown = (source: SourceDocument): boolean =>
    source.orgId === orgId && isWanted(source.type) && isSourceVisible(catalogue, source, sight);
  const ofLargeOrg = catalogue.sourcesOfLargeOrg(orgId);
  if (ofLargeOrg === undefined) return theseSources(catalogue, catalogue.sourcesOfOrg(orgId).filter(isShown));
  return {
    ...ofLargeOrg(isWanted),
    has: (sourceId) => {
      const source = catalogue.source(sourceId);
      return source !== undefined && isShown(source);
    },
  };
};

/** All that everybody sees and that have releases, but for some types. */
export const allPublicSources = (catalogue: Catalogue, exclude: readonly SourceType[]): WantedSources => ({
  ...catalogue.publicSources(exclude),
  has: (sourceId) => {
    const source = catalogue.source(sourceId);
    return source !== undefined && !exclude.includes(source.type) && isSourceVisible(catalogue, source);
  },
});

/** All that everybody sees whose releases belong to a category. */
export const sourcesOfCategory = (catalogue: Catalogue, category: Category): WantedSources => ({
  ...catalogue.publicSourcesOfCategory(category),
  has: (sourceId) => {
    const source = catalogue.source(sourceId);
    return (
      source !== undefined && isSourceVisible(catalogue, source) && resolvedCategory(catalogue, source) === category
    );
  },
});
