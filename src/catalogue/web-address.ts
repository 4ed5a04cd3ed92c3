import type { CollectionDocument } from '../../projections/collections/collections.ts';
import type { OrgDocument } from '../../projections/org/org.ts';
import type { ProductDocument } from '../../projections/product/product.ts';
import type { SourceDocument } from '../../projections/source/source.ts';
import { lastToHave } from '../domain/name/earlier-slugs.ts';
import { orgWebPath, partWebPath } from '../domain/web-paths.ts';
import { notFound } from '../kernel/errors.ts';
import type { Catalogue } from './catalogue.ts';
import { findOrg, findProductOf, resolveCollection, resolveSource, resolveSourceOf, theOnly } from './resolve.ts';
import { isOrgVisible, isSourceVisible } from './visibility.ts';

// What a web path names, to everybody alike: by the name that it has, else by one that it had (contract 16.1). A name
// that another thing has now, be it hidden, leads nowhere else.

export const orgOfWebPath = (catalogue: Catalogue, segment: string): OrgDocument => {
  const slug = segment.toLowerCase();
  const org =
    findOrg(catalogue, segment, false) ??
    (catalogue.orgBySlug(slug) === undefined
      ? lastToHave(
          catalogue.orgsByEarlierSlug(slug).filter((once) => isOrgVisible(once)),
          slug,
        )
      : undefined);
  if (org === undefined) throw notFound('org', segment);
  return org;
};

const onceNamed = (catalogue: Catalogue, slug: string): SourceDocument[] =>
  catalogue.sourcesByEarlierSlug(slug).filter((source) => isSourceVisible(catalogue, source));

/** What is below an org: a product before a source. */
export const partOfWebPath = (
  catalogue: Catalogue,
  orgId: string,
  segment: string,
): { readonly product: ProductDocument } | { readonly source: SourceDocument } => {
  const product = findProductOf(catalogue, orgId, segment, false);
  if (product !== undefined) return { product };
  const holder = catalogue.productOfOrg(orgId, segment) ?? catalogue.sourceOfOrg(orgId, segment);
  const once = holder
    ? undefined
    : lastToHave(
        onceNamed(catalogue, segment).filter((source) => source.orgId === orgId),
        segment,
      );
  return { source: once ?? resolveSourceOf(catalogue, orgId, segment, false) };
};

const isStandalone = ({ orgId }: SourceDocument): boolean => orgId === null;

/** A standalone source before those of orgs, of which there may be only one. */
export const sourceOfWebPath = (catalogue: Catalogue, segment: string): SourceDocument => {
  const named = catalogue.sourcesBySlug(segment);
  const standalone = named.find(isStandalone);
  if (standalone !== undefined && isSourceVisible(catalogue, standalone)) return standalone;
  const once = named.length > 0 ? [] : onceNamed(catalogue, segment);
  if (once.length === 0) return resolveSource(catalogue, segment, false);
  return lastToHave(once.filter(isStandalone), segment) ?? theOnly(catalogue, 'source', once, segment);
};

export const collectionOfWebPath = (catalogue: Catalogue, segment: string): CollectionDocument => {
  const once =
    catalogue.collectionBySlug(segment) === undefined
      ? lastToHave(catalogue.collectionsByEarlierSlug(segment), segment)
      : undefined;
  return once ?? resolveCollection(catalogue, segment);
};

/** Where the page of a source is: by its id where a product of the org has the same slug, as that one comes first. */
export const sourceWebPath = (catalogue: Catalogue, source: SourceDocument): string => {
  const org = source.orgId === null ? undefined : catalogue.org(source.orgId);
  if (org === undefined) return partWebPath(null, source);
  const isShadowed = findProductOf(catalogue, org.id, source.slug, false) !== undefined;
  return partWebPath(org.slug, isShadowed ? { slug: source.id } : source);
};

/** Where the page of an org, product or source is now; undefined when it is not known. */
export const webPathOf = (catalogue: Catalogue, id: string): string | undefined => {
  const org = catalogue.org(id);
  if (org !== undefined) return orgWebPath(org);
  const source = catalogue.source(id);
  if (source !== undefined) return sourceWebPath(catalogue, source);
  const product = catalogue.product(id);
  const owner = product && catalogue.org(product.orgId);
  return owner && partWebPath(owner.slug, product);
};
