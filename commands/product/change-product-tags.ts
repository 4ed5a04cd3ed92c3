import { z } from 'zod';
import { type OrgFact, orgFactOf, requireLiveChild } from '../../src/domain/org/org-fact.ts';
import type { ProductEvent } from '../../src/domain/product/events.ts';
import { product } from '../../src/domain/product/state.ts';
import { changedTags, tagChanges } from '../../src/domain/tag-list.ts';
import { type DecisionContext, defineCommand } from '../../src/kernel/command.ts';
import { productId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

export const changeProductTags = defineCommand({
  name: 'ChangeProductTags',
  input: z.strictObject({ productId, tags: tagChanges }),
  stream: ({ productId }) => streamOf('product', productId),
  model: product,
  facts: (_, state) => orgFactOf(state),
  decide: ({ tags: changes }, state, { facts }: DecisionContext<OrgFact>): ProductEvent[] => {
    requireLiveChild('product', state, facts);
    const tags = changedTags(state.tags, changes);
    return tags === null ? [] : [{ type: 'ProductChanged.v1', data: { changed: { tags } } }];
  },
});
