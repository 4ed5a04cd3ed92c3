import { z } from 'zod';
import { changedFields } from '../../src/domain/changed-fields.ts';
import { type OrgFact, orgFactOf, requireLiveChild } from '../../src/domain/org/org-fact.ts';
import type { ProductEvent } from '../../src/domain/product/events.ts';
import { productChangeFields } from '../../src/domain/product/fields.ts';
import { type ProductState, product } from '../../src/domain/product/state.ts';
import { productVisibilityEvents } from '../../src/domain/product/visibility.ts';
import { type DecisionContext, defineCommand } from '../../src/kernel/command.ts';
import { productId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

export const changeProduct = defineCommand({
  name: 'ChangeProduct',
  input: z.strictObject({ productId, changes: productChangeFields }),
  stream: ({ productId }) => streamOf('product', productId),
  model: product,
  facts: (_, state) => orgFactOf(state),
  decide: ({ changes }, state, { facts, now }: DecisionContext<OrgFact>): ProductEvent[] => {
    requireLiveChild('product', state, facts);
    const { isHidden, ...wanted } = changes;
    const changed = changedFields<ProductState>(state, wanted);
    return [
      ...(changed === null ? [] : [{ type: 'ProductChanged.v1', data: { changed } } as const]),
      ...productVisibilityEvents(state, isHidden, now),
    ];
  },
});
