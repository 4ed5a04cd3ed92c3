import type { CollectionDocument } from '../../projections/collections/collections.ts';
import type { Catalogue } from '../../src/catalogue/catalogue.ts';
import { pageOf } from '../../src/kernel/paging/page.ts';
import { shownMember, shownOrgs } from '../shape/collection-members.ts';
import type { QueryDeps } from '../shape/query-deps.ts';

export const previewMax = 3;

export interface CollectionListInput {
  /** Only featured ones; else all. */
  readonly featured: boolean;
  readonly page: number;
  readonly limit: number;
}

export const collectionItem = (catalogue: Catalogue, collection: CollectionDocument) => {
  const members = catalogue.membersOf(collection);
  return {
    slug: collection.slug,
    name: collection.name,
    description: collection.description,
    memberCount: members.length,
    isFeatured: collection.isFeatured,
    previewMembers: members.slice(0, previewMax).map(shownMember),
    previewOrgs: shownOrgs(members, previewMax),
  };
};

export const collectionList = ({ catalogue }: Pick<QueryDeps, 'catalogue'>, input: CollectionListInput) => {
  const all = input.featured ? catalogue.featuredCollections() : catalogue.collections();
  const { items, pagination } = pageOf(all, input);
  return { items: items.map((collection) => collectionItem(catalogue, collection)), pagination };
};
