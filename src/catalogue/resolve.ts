import type { CollectionDocument } from '../../projections/collections/collections.ts';
import type { OrgDocument } from '../../projections/org/org.ts';
import type { ProductDocument } from '../../projections/product/product.ts';
import type { SourceDocument } from '../../projections/source/source.ts';
import { normalizeDomain } from '../domain/domain-name.ts';
import { DomainError, notFound } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import type { Catalogue } from './catalogue.ts';
import { allSight, isOrgVisible, isProductVisible, isSourceVisible, publicSight, type Sight } from './visibility.ts';

/** Identifiers of paths and parameters (contract 2.1). An admin reaches hidden entities by their address. */
const sightOf = (admin: boolean): Sight => (admin ? allSight : publicSight);

const findOrg = (catalogue: Catalogue, identifier: string, admin: boolean): OrgDocument | undefined => {
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

export const resolveProductOf = (
  catalogue: Catalogue,
  orgId: string,
  identifier: string,
  admin: boolean,
): ProductDocument => {
  const found = isId('prod', identifier) ? [catalogue.product(identifier)] : catalogue.productsBySlug(identifier);
  const product = found.find((candidate) => candidate?.orgId === orgId);
  if (product === undefined || !isProductVisible(catalogue, product, sightOf(admin))) {
    throw notFound('product', identifier);
  }
  return product;
};

export const resolveProduct = (catalogue: Catalogue, identifier: string, admin: boolean): ProductDocument => {
  if (!identifier.startsWith('prod_')) throw new DomainError('bare_slug_rejected', 'product');
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
  const found = isId('src', identifier) ? [catalogue.source(identifier)] : catalogue.sourcesBySlug(identifier);
  const source = found.find((candidate) => candidate?.orgId === orgId);
  if (source === undefined || !isSourceVisible(catalogue, source, sightOf(admin))) {
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

const candidateOf = (catalogue: Catalogue, source: SourceDocument) => ({
  id: source.id,
  slug: source.slug,
  name: source.name,
  orgId: source.orgId,
  orgSlug: source.orgId === null ? null : (catalogue.org(source.orgId)?.slug ?? null),
  path: sourcePath(catalogue, source),
});

export const resolveSource = (catalogue: Catalogue, identifier: string, admin: boolean): SourceDocument => {
  const byId = isId('src', identifier) ? catalogue.source(identifier) : undefined;
  const found = byId ? [byId] : catalogue.sourcesBySlug(identifier);
  const visible = found.filter((source) => isSourceVisible(catalogue, source, sightOf(admin)));
  const [source] = visible;
  if (source === undefined) throw notFound('source', identifier);
  if (visible.length === 1) return source;
  const candidates = visible.map((candidate) => candidateOf(catalogue, candidate));
  // Only a standalone source has no org, and its slug is unique among those: the empty text stands for it alone.
  candidates.sort((a, b) => ((a.orgSlug ?? '') < (b.orgSlug ?? '') ? -1 : 1));
  throw new DomainError('ambiguous_slug', { entity: 'source', slug: source.slug, candidates });
};
