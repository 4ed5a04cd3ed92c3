import { catalogueReads } from '../../src/catalogue/catalogue.ts';
import { resolveCollection } from '../../src/catalogue/resolve.ts';
import { shownMember, shownOrgs } from '../shape/collection-members.ts';
import type { QueryDeps } from '../shape/query-deps.ts';

export const collectionReads = catalogueReads;

/** A collection with all its members that everybody sees (contract 10.3); admins see no others here. */
export const collectionDetail = (
  { catalogue }: Pick<QueryDeps, 'catalogue'>,
  { collection: identifier }: { readonly collection: string },
) => {
  const collection = resolveCollection(catalogue, identifier);
  const members = catalogue.membersOf(collection);
  return {
    id: collection.id,
    slug: collection.slug,
    name: collection.name,
    description: collection.description,
    isFeatured: collection.isFeatured,
    memberCount: members.length,
    members: members.map(shownMember),
    orgs: shownOrgs(members, members.length),
    createdAt: collection.createdAt,
    updatedAt: collection.updatedAt,
  };
};
