import { z } from 'zod';
import { requireRestorable } from '../../src/domain/lifetime-rules.ts';
import { productSlugName } from '../../src/domain/name/name-streams.ts';
import { heldSlugWish } from '../../src/domain/name/slug-wish.ts';
import { type OrgFact, orgFactOf, requireOrgOfChild } from '../../src/domain/org/org-fact.ts';
import type { ProductEvent } from '../../src/domain/product/events.ts';
import { product } from '../../src/domain/product/state.ts';
import { type DecisionContext, defineCommand, type NameWish } from '../../src/kernel/command.ts';
import { productId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

/** Brings it back with the slug that it had, if nobody took it meanwhile. */
export const restoreProduct = defineCommand({
  name: 'RestoreProduct',
  input: z.strictObject({ productId }),
  stream: ({ productId }) => streamOf('product', productId),
  model: product,
  facts: (_, state) => orgFactOf(state),
  names: ({ productId }, state, facts: OrgFact, now): Record<string, NameWish> => {
    const expected = { entity: 'product', id: productId } as const;
    requireOrgOfChild(expected, state, facts);
    requireRestorable(expected, state, now); // what is gone is not found, whoever holds its names now
    return { slug: heldSlugWish(state.slug, (slug) => productSlugName(state.orgId, slug)) };
  },
  decide: ({ productId }, state, { facts, now }: DecisionContext<OrgFact>): ProductEvent[] => {
    const expected = { entity: 'product', id: productId } as const;
    requireOrgOfChild(expected, state, facts);
    requireRestorable(expected, state, now);
    return state.lifecycle === 'live' ? [] : [{ type: 'ProductRestored.v1', data: { restoredAt: now } }];
  },
});
