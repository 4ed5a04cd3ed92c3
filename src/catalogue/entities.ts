import type { OrgDocument } from '../../projections/org/org.ts';
import type { ProductDocument } from '../../projections/product/product.ts';
import type { SourceDocument } from '../../projections/source/source.ts';
import type { Document } from '../kernel/projection.ts';
import { hyphenated } from '../kernel/slugs.ts';
import type { EarlierSlug } from '../domain/name/earlier-slugs.ts';
import { createDocsByNames } from './docs-by-names.ts';
import type { Followed } from './follower.ts';
import { createGroups } from './groups.ts';
import { createWideMap, type WideMap } from './wide-map.ts';

/** Names to the living org that has them. */
const createOrgNames = (namesOf: (org: OrgDocument) => readonly string[]) => {
  const idByName = new Map<string, string>();
  const remove = (org: OrgDocument) => {
    // A name may have passed on to another org meanwhile.
    for (const name of namesOf(org)) if (idByName.get(name) === org.id) idByName.delete(name);
  };
  return {
    remove,
    replace: (before: OrgDocument | undefined, after: OrgDocument) => {
      if (before) remove(before);
      if (after.deletedAt === null) for (const name of namesOf(after)) idByName.set(name, after.id);
    },
    idOf: (name: string) => idByName.get(name),
  };
};

interface FoundBy<Doc> {
  readonly replace: (before: Doc | undefined, after: Doc) => void;
  readonly remove: (before: Doc) => void;
}

/** Keeps the documents by id, and everything else that they are found by. */
const followedBy = <Doc extends Document>(byId: WideMap<Doc>, ways: readonly FoundBy<Doc>[]): Followed<Doc> => ({
  apply: (doc) => {
    const before = byId.get(doc.id);
    for (const way of ways) way.replace(before, doc);
    byId.set(doc.id, doc);
  },
  remove: (id) => {
    const before = byId.get(id);
    if (before === undefined) return;
    for (const way of ways) way.remove(before);
    byId.delete(id);
  },
});

const slugOf = ({ slug, deletedAt }: ProductDocument | SourceDocument): string | null =>
  deletedAt === null ? slug : null;

/** No id has a space. */
const placeIn = (orgId: string, slug: string): string => `${orgId} ${slug}`;

/** Each org has names of its own, and a name may stand in all of them: so neither is gone through. */
const placeOf = (part: ProductDocument | SourceDocument): string | null =>
  part.orgId === null || part.deletedAt !== null ? null : placeIn(part.orgId, part.slug);

interface Renamed {
  readonly earlierSlugs: readonly EarlierSlug[];
  readonly deletedAt: string | null;
}

/** What is deleted has given up the slugs that it had, too. */
const earlierSlugsOf = ({ earlierSlugs, deletedAt }: Renamed): readonly string[] =>
  deletedAt === null ? earlierSlugs.map(({ slug }) => slug) : [];

const tagSlugsOf = ({ tags, deletedAt }: OrgDocument | ProductDocument): readonly string[] =>
  deletedAt === null ? tags.map(hyphenated) : [];

/** Orgs, products and sources, found by id, by name and by what they belong to. */
export const createEntities = () => {
  const orgs = createWideMap<OrgDocument>();
  const products = createWideMap<ProductDocument>();
  const sources = createWideMap<SourceDocument>();
  const orgSlugs = createOrgNames(({ slug }) => [slug]);
  const orgDomains = createOrgNames(({ domain, aliases }) => (domain === null ? aliases : [domain, ...aliases]));
  const productDomains = createDocsByNames<ProductDocument>(({ aliases, deletedAt }) =>
    deletedAt === null ? aliases : [],
  );
  const orgTags = createDocsByNames<OrgDocument>(tagSlugsOf);
  const productTags = createDocsByNames<ProductDocument>(tagSlugsOf);
  const orgsOnceNamed = createDocsByNames<OrgDocument>(earlierSlugsOf);
  const sourcesOnceNamed = createDocsByNames<SourceDocument>(earlierSlugsOf);
  const productSlugs = createGroups<ProductDocument>(slugOf);
  const sourceSlugs = createGroups<SourceDocument>(slugOf);
  const productPlaces = createGroups<ProductDocument>(placeOf);
  const sourcePlaces = createGroups<SourceDocument>(placeOf);
  const orgProducts = createGroups<ProductDocument>(({ orgId }) => orgId);
  const orgSources = createGroups<SourceDocument>(({ orgId }) => orgId);
  const productSources = createGroups<SourceDocument>(({ productId }) => productId);

  const orgOf = (id: string | undefined) => (id === undefined ? undefined : orgs.get(id));

  return {
    org: followedBy(orgs, [orgSlugs, orgDomains, orgTags, orgsOnceNamed]),
    product: followedBy(products, [orgProducts, productSlugs, productPlaces, productDomains, productTags]),
    source: followedBy(sources, [orgSources, productSources, sourceSlugs, sourcePlaces, sourcesOnceNamed]),
    reads: {
      org: (id: string) => orgs.get(id),
      product: (id: string) => products.get(id),
      source: (id: string) => sources.get(id),
      productsOfOrg: orgProducts.of,
      sourcesOfOrg: orgSources.of,
      sourcesOfProduct: productSources.of,
      orgBySlug: (slug: string) => orgOf(orgSlugs.idOf(slug)),
      orgByDomain: (domain: string) => orgOf(orgDomains.idOf(domain)),
      productsByDomain: productDomains.of,
      productsBySlug: productSlugs.of,
      sourcesBySlug: sourceSlugs.of,
      productOfOrg: (orgId: string, slug: string) => productPlaces.of(placeIn(orgId, slug))[0],
      sourceOfOrg: (orgId: string, slug: string) => sourcePlaces.of(placeIn(orgId, slug))[0],
      orgsByTag: orgTags.of,
      productsByTag: productTags.of,
      orgsByEarlierSlug: orgsOnceNamed.of,
      sourcesByEarlierSlug: sourcesOnceNamed.of,
    },
  };
};

export type Entities = ReturnType<typeof createEntities>;
