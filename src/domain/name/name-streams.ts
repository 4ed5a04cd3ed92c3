import { streamOf } from '../../kernel/stream-name.ts';
import type { PackageEcosystem } from '../enumerations.ts';

/** Which stream reserves which name. Slugs of products and sources are unique within their org (contract 2.3). */
export const orgSlugName = (slug: string): string => streamOf('slug', `org:${slug}`);
export const productSlugName = (orgId: string, slug: string): string => streamOf('slug', `product/${orgId}:${slug}`);
export const sourceSlugName = (orgId: string | null, slug: string): string =>
  streamOf('slug', orgId === null ? `source:${slug}` : `source/${orgId}:${slug}`);
/** Accounts are linked to one org only. */
export const handleName = (accountKey: string): string => streamOf('handle', accountKey);
export const collectionSlugName = (slug: string): string => streamOf('slug', `collection:${slug}`);
export const tagSlugName = (slug: string): string => streamOf('slug', `tag:${slug}`);
export const domainName = (domain: string): string => streamOf('domain', domain);

/** npm names are compared in lower case; pypi names also with runs of `-_.` as one hyphen (contract 9.2). */
export const normalizePackageName = (ecosystem: PackageEcosystem, packageName: string): string => {
  const lower = packageName.trim().toLowerCase();
  return ecosystem === 'pypi' ? lower.replace(/[-_.]+/g, '-') : lower;
};
export const packageName = (ecosystem: PackageEcosystem, normalizedName: string): string =>
  streamOf('package', `${ecosystem}:${normalizedName}`);
