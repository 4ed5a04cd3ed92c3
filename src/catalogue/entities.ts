import type { OrgDocument } from '../../projections/org/org.ts';
import type { ProductDocument } from '../../projections/product/product.ts';
import type { SourceDocument } from '../../projections/source/source.ts';
import { createGroups, type Groups } from './groups.ts';

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

/** Orgs, products and sources, found by id, by name and by what they belong to. */
export const createEntities = () => {
  const orgs = new Map<string, OrgDocument>();
  const products = new Map<string, ProductDocument>();
  const sources = new Map<string, SourceDocument>();
  const orgSlugs = createOrgNames(({ slug }) => [slug]);
  const orgDomains = createOrgNames(({ domain, aliases }) => (domain === null ? aliases : [domain, ...aliases]));
  const productSlugs = createGroups();
  const sourceSlugs = createGroups();
  const orgProducts = createGroups();
  const orgSources = createGroups();
  const productSources = createGroups();

  const listOf = <Doc>(docs: ReadonlyMap<string, Doc>, groups: Groups) => {
    return (key: string): Doc[] => Array.from(groups.idsOf(key), (id) => docs.get(id) as Doc);
  };
  const orgOf = (id: string | undefined) => (id === undefined ? undefined : orgs.get(id));

  return {
    org: {
      apply: (org: OrgDocument) => {
        const before = orgs.get(org.id);
        orgSlugs.replace(before, org);
        orgDomains.replace(before, org);
        orgs.set(org.id, org);
      },
      remove: (id: string) => {
        const before = orgs.get(id);
        if (before === undefined) return;
        for (const names of [orgSlugs, orgDomains]) names.remove(before);
        orgs.delete(id);
      },
    },
    product: {
      apply: (product: ProductDocument) => {
        products.set(product.id, product);
        orgProducts.place(product.id, product.orgId);
        productSlugs.place(product.id, product.deletedAt === null ? product.slug : null);
      },
      remove: (id: string) => {
        products.delete(id);
        for (const groups of [orgProducts, productSlugs]) groups.place(id, null);
      },
    },
    source: {
      apply: (source: SourceDocument) => {
        sources.set(source.id, source);
        orgSources.place(source.id, source.orgId);
        productSources.place(source.id, source.productId);
        sourceSlugs.place(source.id, source.deletedAt === null ? source.slug : null);
      },
      remove: (id: string) => {
        sources.delete(id);
        for (const groups of [orgSources, productSources, sourceSlugs]) groups.place(id, null);
      },
    },
    reads: {
      org: (id: string) => orgs.get(id),
      product: (id: string) => products.get(id),
      source: (id: string) => sources.get(id),
      productsOfOrg: listOf(products, orgProducts),
      sourcesOfOrg: listOf(sources, orgSources),
      sourcesOfProduct: listOf(sources, productSources),
      orgBySlug: (slug: string) => orgOf(orgSlugs.idOf(slug)),
      orgByDomain: (domain: string) => orgOf(orgDomains.idOf(domain)),
      productsBySlug: listOf(products, productSlugs),
      sourcesBySlug: listOf(sources, sourceSlugs),
    },
  };
};

export type Entities = ReturnType<typeof createEntities>;
