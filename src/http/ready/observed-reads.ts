import { bodiesProjection } from '../../../projections/bodies/bodies.ts';
import { instantsTag, orgTag, releasesTagOf, sourceTag } from '../../../projections/tags-of-write.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { PublicSources } from '../../catalogue/lists/public-sources.ts';
import type { Document, Projection } from '../../kernel/projection.ts';
import type { ReadModel, ReadModelSet } from '../../ports/read-models.ts';

/**
 * The catalogue, which notes what is asked of it about releases. All of it is named here: it is made for each answer, and to
 * go through the names of what the catalogue can do takes longer than to ask it.
 */
export function observeCatalogue(catalogue: Catalogue, tags: Set<string>): Catalogue {
  const noting =
    <Input extends unknown[], Output>(ask: (...input: Input) => Output) =>
    (...input: Input): Output => {
      tags.add(instantsTag);
      return ask(...input);
    };
  // That an org or product is not a large one tells nothing of releases.
  const largeGroup = (ask: Catalogue['largeOrg' | 'largeProduct']) => (id: string) => {
    const group = ask(id);
    if (group !== undefined) tags.add(instantsTag);
    return group;
  };
  // Of those that a feed may show it is told by the feed's own rows; how many they are tells more only where they are few.
  const publicSources = (sources: PublicSources): PublicSources => {
    if (sources.count <= 1) tags.add(instantsTag);
    return { ...sources, newestFirst: noting(sources.newestFirst) };
  };
  const addSources = (sources: readonly { readonly id: string }[]): void => {
    for (const { id } of sources) tags.add(sourceTag(instantsTag, id));
  };
  return {
    // These tell nothing of releases.
    org: catalogue.org,
    product: catalogue.product,
    source: catalogue.source,
    orgs: catalogue.orgs,
    orgsMatching: catalogue.orgsMatching,
    productsOfOrg: catalogue.productsOfOrg,
    sourcesOfOrg: catalogue.sourcesOfOrg,
    sourcesOfProduct: catalogue.sourcesOfProduct,
    orgBySlug: catalogue.orgBySlug,
    orgByDomain: catalogue.orgByDomain,
    productsByDomain: catalogue.productsByDomain,
    productsBySlug: catalogue.productsBySlug,
    sourcesBySlug: catalogue.sourcesBySlug,
    productOfOrg: catalogue.productOfOrg,
    sourceOfOrg: catalogue.sourceOfOrg,
    orgsByTag: catalogue.orgsByTag,
    productsByTag: catalogue.productsByTag,
    orgsByEarlierSlug: catalogue.orgsByEarlierSlug,
    sourcesByEarlierSlug: catalogue.sourcesByEarlierSlug,
    collectionsByEarlierSlug: catalogue.collectionsByEarlierSlug,
    collection: catalogue.collection,
    collectionBySlug: catalogue.collectionBySlug,
    collections: catalogue.collections,
    featuredCollections: catalogue.featuredCollections,
    collectionsWith: catalogue.collectionsWith,
    membersOf: catalogue.membersOf,
    refresh: catalogue.refresh,
    refreshTold: catalogue.refreshTold,
    seen: catalogue.seen,
    namesPlaced: catalogue.namesPlaced,
    // Those of some sources.
    instantsOf: (sourceId) => {
      tags.add(sourceTag(instantsTag, sourceId));
      return catalogue.instantsOf(sourceId);
    },
    instantsOfOrg: (orgId) => {
      addSources(catalogue.sourcesOfOrg(orgId));
      return catalogue.instantsOfOrg(orgId);
    },
    hasReleases: (orgId, nowMs) => {
      addSources(catalogue.sourcesOfOrg(orgId));
      return catalogue.hasReleases(orgId, nowMs);
    },
    publicSources: (exclude) => publicSources(catalogue.publicSources(exclude)),
    publicSourcesOfCategory: (category) => publicSources(catalogue.publicSourcesOfCategory(category)),
    largeOrg: largeGroup(catalogue.largeOrg),
    largeProduct: largeGroup(catalogue.largeProduct),
    // Those of any.
    trackingRequests: noting(catalogue.trackingRequests),
    publicOrgs: noting(catalogue.publicOrgs),
    featuredOrgs: noting(catalogue.featuredOrgs),
    productList: noting(catalogue.productList),
    sourceList: noting(catalogue.sourceList),
    releaseCounts: noting(catalogue.releaseCounts),
    sourceSets: noting(catalogue.sourceSets),
    orgsNamed: noting(catalogue.orgsNamed),
    catalogNamed: noting(catalogue.catalogNamed),
    collectionsNamed: noting(catalogue.collectionsNamed),
  };
}

/** The smallest part of a read model of releases that all of this lies in. */
const partOf = (releasesTag: string, named: object): string => {
  const { sourceId, orgId } = named as { readonly sourceId?: unknown; readonly orgId?: unknown };
  if (typeof sourceId === 'string') return sourceTag(releasesTag, sourceId);
  return typeof orgId === 'string' ? orgTag(releasesTag, orgId) : releasesTag;
};

/** A part of the releases of a source or of an org; what is asked otherwise may be changed by any. */
function observeReleases<Doc extends Document>(
  model: ReadModel<Doc>,
  releasesTag: string,
  tags: Set<string>,
): ReadModel<Doc> {
  return {
    ...model,
    get: async (ids) => {
      const docs = await model.get(ids);
      for (const doc of docs) tags.add(partOf(releasesTag, doc));
      if (docs.length < ids.length) tags.add(releasesTag);
      return docs;
    },
    query: (query) => {
      tags.add(partOf(releasesTag, query.equals));
      return model.query(query);
    },
    scan: (...input) => {
      tags.add(releasesTag);
      return model.scan(...input);
    },
  };
}

export const observeModels = (models: ReadModelSet, tags: Set<string>): ReadModelSet => ({
  of: <Doc extends Document>(projection: Projection<Doc>) => {
    const model = models.of(projection);
    const releasesTag = releasesTagOf(projection);
    if (releasesTag === undefined) return model;
    if (projection.name === bodiesProjection.name) tags.add(releasesTag);
    return observeReleases(model, releasesTag, tags);
  },
});
