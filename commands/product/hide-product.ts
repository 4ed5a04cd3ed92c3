import { z } from 'zod';
import { type OrgFact, orgFactOf, requireLiveChild } from '../../src/domain/org/org-fact.ts';
import { product } from '../../src/domain/product/state.ts';
import { productVisibilityEvents } from '../../src/domain/product/visibility.ts';
import { type DecisionContext, defineCommand } from '../../src/kernel/command.ts';
import { productId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

/** Its sources stay visible, without the product. */
export const hideProduct = defineCommand({
  name: 'HideProduct',
  input: z.strictObject({ productId }),
  stream: ({ productId }) => streamOf('product', productId),
  model: product,
  facts: (_, state) => orgFactOf(state),
  decide: (_, state, { facts, now }: DecisionContext<OrgFact>) => {
    requireLiveChild('product', state, facts);
    return productVisibilityEvents(state, true, now);
  },
});
