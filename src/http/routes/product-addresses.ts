import { type ZodObject, z } from 'zod';
import type { ProductDocument } from '../../../projections/product/product.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { resolveOrg, resolveProduct, resolveProductOf } from '../../catalogue/resolve.ts';

/** A path that leads to a product, and what it names. */
export interface ProductAddress<Params extends ZodObject> {
  readonly path: string;
  readonly params: Params;
  readonly resolve: (catalogue: Catalogue, params: z.output<Params>, admin: boolean) => ProductDocument;
}

const addressOf = <Params extends ZodObject>(address: ProductAddress<Params>) => address;

/** Its id only. */
export const productByItself = addressOf({
  path: '/products/:identifier',
  params: z.object({ identifier: z.string() }),
  resolve: (catalogue, { identifier }, admin) => resolveProduct(catalogue, identifier, admin),
});

export const productBelowOrg = addressOf({
  path: '/orgs/:orgSlug/products/:productSlug',
  params: z.object({ orgSlug: z.string(), productSlug: z.string() }),
  resolve: (catalogue, { orgSlug, productSlug }, admin) =>
    resolveProductOf(catalogue, resolveOrg(catalogue, orgSlug, admin).id, productSlug, admin),
});
