import type { Catalogue } from '../catalogue/catalogue.ts';
import { resolveOrg, resolveProductOf, resolveSourceOf } from '../catalogue/resolve.ts';
import { DomainError } from '../kernel/errors.ts';

interface NamedSubject {
  readonly orgId?: string;
  readonly orgSlug?: string;
  readonly sourceId?: string | null;
  readonly sourceSlug?: string | null;
  readonly productId?: string | null;
  readonly productSlug?: string | null;
}

export const namesAnOrg = ({ orgId, orgSlug }: NamedSubject): boolean => (orgId ?? orgSlug) !== undefined;
export const noOrg = { path: ['orgSlug'], error: 'must name the org, here or in orgId' };

/** The ids of what a webhook is about; source and product are looked for within the org alone. */
export function namedSubject(catalogue: Catalogue, named: NamedSubject, admin: boolean) {
  const org = resolveOrg(catalogue, named.orgId ?? named.orgSlug ?? '', admin);
  const sourceName = named.sourceId ?? named.sourceSlug ?? null;
  const productName = named.productId ?? named.productSlug ?? null;
  const source = sourceName === null ? null : resolveSourceOf(catalogue, org.id, sourceName, admin);
  const product = productName === null ? null : resolveProductOf(catalogue, org.id, productName, admin);
  if (source !== null && product !== null && source.productId !== product.id) {
    const path = named.sourceId === undefined ? 'sourceSlug' : 'sourceId';
    const issues = [{ path, message: 'names a source that is not of this product' }];
    throw new DomainError('validation_failed', { issues });
  }
  return { orgId: org.id, sourceId: source?.id ?? null, productId: product?.id ?? null };
}
