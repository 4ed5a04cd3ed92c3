import type { CollectionDocument } from '../../projections/collections/collections.ts';
import type { OrgDocument } from '../../projections/org/org.ts';
import type { ProductDocument } from '../../projections/product/product.ts';
import type { SourceDocument } from '../../projections/source/source.ts';
import { normalizeDomain } from '../domain/name/domain-name.ts';
import { bareSlugRejected, DomainError, notFound } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import type { Catalogue } from './catalogue.ts';
import { allSight, isOrgVisible, isProductVisible, isSourceVisible, publicSight, type Sight } from './visibility.ts';

/** Identifiers of paths and parameters (contract 2.1). An admin reaches hidden entities by their address. */
const sightOf = (admin: boolean): Sight => (admin ? allSight : publicSight);

/** Undefined: there is none, or it is not seen. */
export const findOrg = (catalogue: Catalogue, identifier: string, admin: boolean): OrgDocument | undefined => {
  const domain = identifier.includes('.') ? normalizeDomain(identifier) : null;
  const org = isId('org', identifier)
    ? catalogue.org(identifier)
    : domain === null
      ? catalogue.orgBySlug(identifier.toLowerCase())
      : catalogue.orgByDomain(domain);
  return org !== undefined && isOrgVisible(org, sightOf(admin)) ? org : undefined;
};

export const resolveOrg = (catalogue: Catalogue, identifier: string, admin: boolean): OrgDocument => {
  const org = findOrg(catalogue, identifier, admin);
  if (org === undefined) throw notFound('org', identifier);
  return org;
};

export const findProductOf = (
  catalogue: Catalogue,
  orgId: string,
  identifier: string,
  admin: boolean,
): ProductDocument | undefined => {
  const product = isId('prod', identifier) ? catalogue.product(identifier) : catalogue.productOfOrg(orgId, identifier);
  return product?.orgId === orgId && isProductVisible(catalogue, product, sightOf(admin)) ? product : undefined;
};

export const resolveProductOf = (
  catalogue: Catalogue,
  orgId: string,
  identifier: string,
  admin: boolean,
): ProductDocument => {
  const product = findProductOf(catalogue, orgId, identifier, admin);
  if (product === undefined) throw notFound('product', identifier);
  return product;
};

export const resolveProduct = (catalogue: Catalogue, identifier: string, admin: boolean): ProductDocument => {
  if (!identifier.startsWith('prod_')) throw bareSlugRejected('product', identifier);
  const product = catalogue.product(identifier);
  if (product === undefined || !isProductVisible(catalogue, product, sightOf(admin))) {
    throw notFound('product', identifier);
  }
  return product;
};

export const resolveSourceOf = (
  catalogue: Catalogue,
  orgId: string,
  identifier: string,
  admin: boolean,
): SourceDocument => {
  const source = isId('src', identifier) ? catalogue.source(identifier) : catalogue.sourceOfOrg(orgId, identifier);
  if (source?.orgId !== orgId || !isSourceVisible(catalogue, source, sightOf(admin))) {
    throw notFound('source', identifier);
  }
  return source;
};

export const resolveCollection = (catalogue: Catalogue, identifier: string): CollectionDocument => {
  const collection = isId('col', identifier)
    ? catalogue.collection(identifier)
    : catalogue.collectionBySlug(identifier);
  if (collection === undefined) throw notFound('collection', identifier);
  return collection;
};

/** The API path of a source's home: below its org, or by its id when it has none. */
const sourcePath = (catalogue: Catalogue, { id, slug, orgId }: SourceDocument): string => {
  const org = orgId === null ? undefined : catalogue.org(orgId);
  return org === undefined ? `/v1/sources/${id}` : `/v1/orgs/${org.slug}/sources/${slug}`;
};

const productPath = (catalogue: Catalogue, { slug, orgId }: ProductDocument): string =>
  `/v1/orgs/${catalogue.org(orgId)?.slug}/products/${slug}`;

/** Where a product or source is at home (contract 8). */
export const homeOf = (catalogue: Catalogue, part: ProductDocument | SourceDocument) => ({
  orgId: part.orgId,
  orgSlug: part.orgId === null ? null : (catalogue.org(part.orgId)?.slug ?? null),
  path: 'productId' in part ? sourcePath(catalogue, part) : productPath(catalogue, part),
});

/** The only one that a bare slug can mean. */
export const theOnly = <Part extends ProductDocument | SourceDocument>(
  catalogue: Catalogue,
  entity: 'product' | 'source',
  visible: readonly Part[],
  identifier: string,
): Part => {
  const [part] = visible;
  if (part === undefined) throw notFound(entity, identifier);
  if (visible.length === 1) return part;
  const candidates = visible.map((each) => {
    const { id, slug, name } = each;
    return { id, slug, name, ...homeOf(catalogue, each) };
  });
  // Only a standalone source has no org, and its slug is unique among those: the empty text stands for it alone.
  candidates.sort((a, b) => ((a.orgSlug ?? '') < (b.orgSlug ?? '') ? -1 : 1));
  throw new DomainError('ambiguous_slug', { entity, slug: identifier, candidates });
};

export const resolveSourceSlug = (catalogue: Catalogue, slug: string, admin: boolean): SourceDocument => {
  const visible = catalogue.sourcesBySlug(slug).filter((source) => isSourceVisible(catalogue, source, sightOf(admin)));
  return theOnly(catalogue, 'source', visible, slug);
};

export const resolveProductSlug = (catalogue: Catalogue, slug: string, admin: boolean): ProductDocument => {
  const visible = catalogue
    .productsBySlug(slug)
    .filter((product) => isProductVisible(catalogue, product, sightOf(admin)));
  return theOnly(catalogue, 'product', visible, slug);
};

export const resolveSource = (catalogue: Catalogue, identifier: string, admin: boolean): SourceDocument => {
  const byId = isId('src', identifier) ? catalogue.source(identifier) : undefined;
  if (byId === undefined) return resolveSourceSlug(catalogue, identifier, admin);
  if (!isSourceVisible(catalogue, byId, sightOf(admin))) throw notFound('source', identifier);
  return byId;
};
