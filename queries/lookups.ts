import { type Catalogue, catalogueReads } from '../src/catalogue/catalogue.ts';
import { homeOf, resolveProductSlug, resolveSourceSlug } from '../src/catalogue/resolve.ts';
import {
  allSight,
  isOrgVisible,
  isProductVisible,
  publicSight,
  sightOn,
  visibleSourcesOf,
} from '../src/catalogue/visibility.ts';
import type { OrgDocument } from '../projections/org/org.ts';
import { normalizeDomain } from '../src/domain/name/domain-name.ts';
import { byName } from '../src/domain/name-key.ts';
import { invalidParameter, notFound } from '../src/kernel/errors.ts';
import { shownLocations } from './shape/locations.ts';
import type { Asking, QueryDeps } from './shape/query-deps.ts';

export const lookupReads = catalogueReads;

type Deps = Pick<QueryDeps, 'catalogue'>;
type Who = Pick<Asking, 'admin'>;

const foundOrg = (catalogue: Catalogue, org: OrgDocument, domain: string, admin: boolean) => {
  const sight = sightOn(admin, org.id);
  return {
    id: org.id,
    slug: org.slug,
    name: org.name,
    domain: org.domain,
    description: org.description,
    category: org.category,
    avatarUrl: org.avatarUrl,
    matchedVia: org.domain === domain ? ('primary' as const) : ('alias' as const),
    status: org.status,
    ...(org.status === 'stub' && {
      locations: shownLocations(catalogue, org.locations, visibleSourcesOf(catalogue, org.id, sight), sight),
    }),
  };
};

/** The org that owns a domain, and the products that have it as an alias (contract 8). */
export const lookupDomain = ({ catalogue }: Deps, { domain: text }: { readonly domain: string }, { admin }: Who) => {
  const domain = normalizeDomain(text);
  if (domain === null) {
    throw invalidParameter({ parameter: 'domain', reason: 'must be a domain name, such as example.com', value: text });
  }
  const sight = admin ? allSight : publicSight;
  const org = catalogue.orgByDomain(domain);
  const isFound = org !== undefined && isOrgVisible(org, sight);
  const products = catalogue
    .productsByDomain(domain)
    .filter((product) => isProductVisible(catalogue, product, sight))
    .sort(byName);
  if (!isFound && products.length === 0) throw notFound('org', domain);
  return {
    domain,
    org: isFound ? foundOrg(catalogue, org, domain, admin) : null,
    products: products.map(({ id, slug, name, orgId, category }) => {
      const owner = catalogue.org(orgId) as OrgDocument; // a product without its org is not visible
      return { id, slug, name, orgId, orgSlug: owner.slug, orgName: owner.name, category };
    }),
  };
};

export const lookupSource = ({ catalogue }: Deps, { slug }: { readonly slug: string }, { admin }: Who) => {
  const source = resolveSourceSlug(catalogue, slug, admin);
  return { sourceId: source.id, sourceSlug: source.slug, ...homeOf(catalogue, source) };
};

export const lookupProduct = ({ catalogue }: Deps, { slug }: { readonly slug: string }, { admin }: Who) => {
  const product = resolveProductSlug(catalogue, slug, admin);
  return { productId: product.id, productSlug: product.slug, ...homeOf(catalogue, product) };
};
