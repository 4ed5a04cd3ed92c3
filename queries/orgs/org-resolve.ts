import { findProductOf, resolveOrg } from '../../src/catalogue/resolve.ts';
import type { FeedPaging } from '../feed/feed-cursor.ts';
import type { LaneChoice } from '../../src/domain/release/feed/lane.ts';
import { productDetail, productDetailReads } from '../product-detail.ts';
import type { Asking, QueryDeps } from '../shape/query-deps.ts';
import { sourceDetail, sourceDetailReads } from '../sources/source-detail.ts';

export interface OrgResolveInput extends LaneChoice, FeedPaging {
  readonly org: string;
  readonly slug: string;
}

export const orgResolveReads = [...new Set([...productDetailReads, ...sourceDetailReads])];

/** What a name below an org means: a product before a source (contract 3.5). */
export const orgResolve = async (deps: QueryDeps, { slug, ...input }: OrgResolveInput, asking: Asking) => {
  const org = resolveOrg(deps.catalogue, input.org, asking.admin);
  const below = { ...input, org: org.id };
  return findProductOf(deps.catalogue, org.id, slug, asking.admin) === undefined
    ? { kind: 'source' as const, source: await sourceDetail(deps, { ...below, source: slug }, asking) }
    : { kind: 'product' as const, product: await productDetail(deps, { ...below, product: slug }, asking) };
};
