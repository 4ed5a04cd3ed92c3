import { catalogueReads } from '../../src/catalogue/catalogue.ts';
import { resolveOrg } from '../../src/catalogue/resolve.ts';
import { sightOn, visibleProductsOf } from '../../src/catalogue/visibility.ts';
import { byName } from '../../src/domain/name-key.ts';
import { collectionItem } from '../collections/collection-list.ts';
import type { Asking, QueryDeps } from '../shape/query-deps.ts';

export const orgCollectionsReads = catalogueReads;

/** Those that the org or a product of it is a member of, where somebody sees any member (contract 3.5). */
export const orgCollections = (
  { catalogue }: Pick<QueryDeps, 'catalogue'>,
  { org: identifier }: { readonly org: string },
  { admin }: Pick<Asking, 'admin'>,
) => {
  const org = resolveOrg(catalogue, identifier, admin);
  const members = [org, ...visibleProductsOf(catalogue, org.id, sightOn(admin, org.id))];
  return [...new Set(members.flatMap(({ id }) => catalogue.collectionsWith(id)))]
    .sort(byName)
    .map((collection) => collectionItem(catalogue, collection))
    .filter(({ memberCount }) => memberCount > 0);
};
