import { type FactRequests, fact } from '../../kernel/command.ts';
import { streamOf } from '../../kernel/stream-name.ts';
import type { OrgFact } from '../org/org-fact.ts';
import { type ProductState, product } from '../product/state.ts';

/** The org of a source, and the product that an input puts it in. */
export interface SourceFacts extends OrgFact {
  readonly product?: ProductState;
}

export const productFact = (productId: string | null | undefined): FactRequests<SourceFacts> =>
  productId == null ? {} : { product: fact(streamOf('product', productId), product) };
