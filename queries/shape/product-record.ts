import type { ProductDocument } from '../../projections/product/product.ts';
import type { Catalogue } from '../../src/catalogue/catalogue.ts';
import { type Sight, visibleSourcesOfProduct } from '../../src/catalogue/visibility.ts';

/** As lists show a product, and details at their head. */
export const productRecord = (product: ProductDocument, sourceCount: number) => ({
  id: product.id,
  name: product.name,
  slug: product.slug,
  orgId: product.orgId,
  url: product.url,
  description: product.description,
  category: product.category,
  kind: product.kind,
  avatarUrl: product.avatarUrl,
  createdAt: product.createdAt,
  sourceCount,
});

/** The products of a page. */
export const shownProducts = (catalogue: Catalogue, products: readonly ProductDocument[], sight: Sight) =>
  products.map((product) => productRecord(product, visibleSourcesOfProduct(catalogue, product.id, sight).length));
