import { z } from 'zod';
import { type OrgFact, orgFactOf, requireLiveChild } from '../../src/domain/org/org-fact.ts';
import type { ProductEvent } from '../../src/domain/product/events.ts';
import { product } from '../../src/domain/product/state.ts';
import { type DecisionContext, defineCommand } from '../../src/kernel/command.ts';
import { productId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

/** Soft; its sources stay and keep the link for a restore. */
export const deleteProduct = defineCommand({
  name: 'DeleteProduct',
  input: z.strictObject({ productId }),
  stream: ({ productId }) => streamOf('product', productId),
  model: product,
  facts: (_, state) => orgFactOf(state),
  names: () => ({}),
  decide: (_, state, { facts, now }: DecisionContext<OrgFact>): ProductEvent[] => {
    requireLiveChild('product', state, facts);
    return [{ type: 'ProductDeleted.v1', data: { deletedAt: now } }];
  },
});
