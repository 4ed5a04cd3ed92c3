import type { ProductDocument } from '../../projections/product/product.ts';

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
