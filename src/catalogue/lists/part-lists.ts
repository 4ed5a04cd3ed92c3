import type { ProductDocument } from '../../../projections/product/product.ts';
import type { SourceDocument } from '../../../projections/source/source.ts';
import type { Entities } from '../entities.ts';
import { createFacetedList, type FacetedList } from './faceted-list.ts';
import { productFacets, sourceFacets } from './part-facets.ts';
import { createReleaseCounts, type ReleaseCounts } from './release-counts.ts';
import type { SourceInstants } from '../instants/source-instants.ts';
import { createSourceSets, placeInSets, type SourceSets } from './source-sets.ts';
import { addWaiting } from './waiting-changes.ts';

/** Products and sources by name, kept in order as they and what they belong to change. */
export const createPartLists = (entities: Entities['reads'], instantsOf: (sourceId: string) => SourceInstants) => {
  const products = createFacetedList<ProductDocument>(() => []); // nobody searches them by their texts
  const sources = createFacetedList<SourceDocument>(({ nameKey, slug, url }) => [nameKey, slug, url.toLowerCase()]);
  const sets = createSourceSets();
  const releaseCounts = createReleaseCounts({ pieces: sources.pieces, instantsOf });
  const changedProducts = new Set<string>();
  const changedSources = new Set<string>();

  const orgOf = ({ orgId }: { readonly orgId: string | null }) => (orgId === null ? undefined : entities.org(orgId));

  const placeProduct = (id: string) => {
    const product = entities.product(id);
    products.place(id, product, product === undefined ? null : productFacets(product, orgOf(product)));
  };

  const placeSource = (id: string) => {
    releaseCounts.forget(id);
    const source = entities.source(id);
    if (source === undefined) {
      sources.place(id, undefined, null);
      sets.place(id, null);
      return;
    }
    const product = source.productId === null ? undefined : entities.product(source.productId);
    const parents = { org: orgOf(source), product };
    sources.place(id, source, sourceFacets(source, parents));
    sets.place(id, placeInSets(source, parents));
  };

  const settle = () => {
    for (const id of changedProducts) placeProduct(id);
    for (const id of changedSources) placeSource(id);
    changedProducts.clear();
    changedSources.clear();
  };

  const note = (changed: Set<string>, id: string) => addWaiting(changed, id, settle);

  return {
    /** What an org hides, shows or is about are all its products and sources. */
    orgChanged: (orgId: string) => {
      for (const { id } of entities.productsOfOrg(orgId)) note(changedProducts, id);
      for (const { id } of entities.sourcesOfOrg(orgId)) note(changedSources, id);
    },
    productChanged: (productId: string) => {
      note(changedProducts, productId);
      for (const { id } of entities.sourcesOfProduct(productId)) note(changedSources, id);
    },
    sourceChanged: (sourceId: string) => note(changedSources, sourceId),
    releasesChanged: releaseCounts.forget,
    reads: {
      productList: (): FacetedList<ProductDocument> => {
        settle();
        return products.reads;
      },
      sourceList: (): FacetedList<SourceDocument> => {
        settle();
        return sources.reads;
      },
      releaseCounts: (): ReleaseCounts => {
        settle();
        return releaseCounts.reads;
      },
      sourceSets: (): SourceSets => {
        settle();
        return sets.reads;
      },
    },
  };
};
