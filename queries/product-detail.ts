import type { ProductDocument } from '../projections/product/product.ts';
import type { SourceDocument } from '../projections/source/source.ts';
import { catalogueReads } from '../src/catalogue/catalogue.ts';
import { resolveOrg, resolveProduct, resolveProductOf } from '../src/catalogue/resolve.ts';
import { sightOn, visibleSourcesOfProduct } from '../src/catalogue/visibility.ts';
import { sourcesOfOrg, wholeOrg } from '../src/catalogue/wanted-sources.ts';
import { alphabeticalSet } from '../src/domain/alphabetical.ts';
import { type LaneChoice, lanesOf } from '../src/domain/release/feed/lane.ts';
import { byName } from '../src/domain/name-key.ts';
import type { FeedPaging } from './feed/feed-cursor.ts';
import type { Asking, QueryDeps } from './shape/query-deps.ts';
import { type PagedFeed, releaseFeedAnswer, releaseFeedReads } from './feed/release-feed-answer.ts';
import { productRecord } from './shape/product-record.ts';
import { metadataText } from './shape/source/source-metadata.ts';

export interface ProductDetailInput extends LaneChoice, FeedPaging {
  /** The org of the path; null on the bare path, which takes an id only. */
  readonly org: string | null;
  readonly product: string;
}

export const productDetailReads = [...catalogueReads, ...releaseFeedReads];

const sourceEntry = (source: SourceDocument, admin: boolean) => ({
  id: source.id,
  slug: source.slug,
  name: source.name,
  type: source.type,
  url: source.url,
  metadata: metadataText(source, admin),
  kind: source.kind,
});

/** A page of the releases of a product. */
export const productFeed = (
  { catalogue }: Pick<QueryDeps, 'catalogue'>,
  { product, ...input }: LaneChoice & FeedPaging & { readonly product: ProductDocument },
  { nowMs, admin }: Asking,
): PagedFeed => {
  const sight = sightOn(admin, product.id, product.orgId);
  return {
    feed: 'product-releases',
    entity: product.id,
    paging: input,
    sight,
    request: {
      orgId: product.orgId,
      sources: sourcesOfOrg(catalogue, { orgId: product.orgId, product, sight }, wholeOrg),
      lanes: lanesOf(input),
      sinceMs: null,
      untilMs: null,
      nowMs,
    },
  };
};

/** A product with its sources and a page of its releases (contract 4). */
export const productDetail = async (
  deps: Pick<QueryDeps, 'models' | 'catalogue' | 'embeddedAt' | 'webBaseUrl'>,
  input: ProductDetailInput,
  asking: Asking,
) => {
  const { catalogue } = deps;
  const { admin } = asking;
  const product =
    input.org === null
      ? resolveProduct(catalogue, input.product, admin)
      : resolveProductOf(catalogue, resolveOrg(catalogue, input.org, admin).id, input.product, admin);
  const sight = sightOn(admin, product.id, product.orgId);
  const sources = visibleSourcesOfProduct(catalogue, product.id, sight).sort(byName);
  const { releases, pagination } = await releaseFeedAnswer(deps, productFeed(deps, { ...input, product }, asking));
  return {
    ...productRecord(product, sources.length),
    embeddedAt: await deps.embeddedAt(sources.map(({ id }) => id)),
    deletedAt: product.deletedAt,
    sources: sources.map((source) => sourceEntry(source, admin)),
    tags: alphabeticalSet(product.tags),
    aliases: alphabeticalSet(product.aliases),
    notice: product.notice,
    releases,
    pagination,
  };
};

export type ProductDetail = Awaited<ReturnType<typeof productDetail>>;
