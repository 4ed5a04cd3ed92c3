import { z } from 'zod';
import type { OrgDocument } from '../../../projections/org/org.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { resolveOrg, resolveProduct, resolveProductOf } from '../../catalogue/resolve.ts';
import { DomainError } from '../../kernel/errors.ts';
import { productId } from '../../kernel/ids.ts';

/** Orgs, products and sources that a body names. Either field takes any identifier; both at once contradict each other. */
const identifier = z.string().min(1);

export const orgReference = { orgId: identifier.exactOptional(), orgSlug: identifier.exactOptional() };
export const optionalOrgReference = {
  orgId: identifier.nullable().exactOptional(),
  orgSlug: identifier.nullable().exactOptional(),
};
export const productReference = {
  productId: identifier.nullable().exactOptional(),
  productSlug: identifier.nullable().exactOptional(),
};
export const sourceReference = {
  sourceId: identifier.nullable().exactOptional(),
  sourceSlug: identifier.nullable().exactOptional(),
};

interface NamedOrg {
  readonly orgId?: string | null;
  readonly orgSlug?: string | null;
}

interface NamedProduct {
  readonly productId?: string | null;
  readonly productSlug?: string | null;
}

interface NamedSource {
  readonly sourceId?: string | null;
  readonly sourceSlug?: string | null;
}

export const namesOneOrg = ({ orgId, orgSlug }: NamedOrg): boolean => orgId === undefined || orgSlug === undefined;
export const namesOneProduct = ({ productId, productSlug }: NamedProduct): boolean =>
  productId === undefined || productSlug === undefined;
export const namesOneSource = ({ sourceId, sourceSlug }: NamedSource): boolean =>
  sourceId === undefined || sourceSlug === undefined;

export const twoOrgs = { path: ['orgSlug'], error: 'must not be sent together with orgId' };
export const twoProducts = { path: ['productSlug'], error: 'must not be sent together with productId' };
export const twoSources = { path: ['sourceSlug'], error: 'must not be sent together with sourceId' };

export const namedOrg = (catalogue: Catalogue, { orgId, orgSlug }: NamedOrg, admin: boolean): OrgDocument | null => {
  const named = orgId ?? orgSlug ?? null;
  return named === null ? null : resolveOrg(catalogue, named, admin);
};

/** Undefined when the body says nothing of a product, null when it says that there is none. */
export const namedProductId = (
  catalogue: Catalogue,
  orgId: string | null,
  { productId, productSlug }: NamedProduct,
  admin: boolean,
): string | null | undefined => {
  const named = productId === undefined ? productSlug : productId;
  if (named === undefined || named === null) return named;
  if (orgId !== null) return resolveProductOf(catalogue, orgId, named, admin).id;
  const path = productId === undefined ? 'productSlug' : 'productId';
  const message = 'names a product, but a source without an org has none';
  throw new DomainError('validation_failed', { issues: [{ path, message }] });
};

/** An org in any way, or a product by its id: its slug would not tell of which org it is. */
export const memberReference = { ...orgReference, productId: productId.exactOptional() };

interface NamedMember extends NamedOrg {
  readonly productId?: string;
}

export const namesOneMember = ({ orgId, orgSlug, productId }: NamedMember): boolean =>
  [orgId, orgSlug, productId].filter((name) => name !== undefined).length === 1;

export const notOneMember = { error: 'must have exactly one of orgId, orgSlug, productId' };

export const namedMemberId = (catalogue: Catalogue, { productId, ...org }: NamedMember, admin: boolean): string =>
  productId === undefined
    ? resolveOrg(catalogue, org.orgId ?? org.orgSlug ?? '', admin).id
    : resolveProduct(catalogue, productId, admin).id;
