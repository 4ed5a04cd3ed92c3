import { z } from 'zod';
import { type OrgFact, orgFactOf, requireLiveChild } from '../../src/domain/org/org-fact.ts';
import type { ProductEvent } from '../../src/domain/product/events.ts';
import { product } from '../../src/domain/product/state.ts';
import { isPurgeDue } from '../../src/domain/purge/due.ts';
import { type DecisionContext, defineCommand } from '../../src/kernel/command.ts';
import { productId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

/** For good; its sources stay. Because somebody asked for it, its time is over, or its org is purged. */
export const purgeProduct = defineCommand({
  name: 'PurgeProduct',
  input: z.strictObject({ productId, isAsked: z.boolean() }),
  stream: ({ productId }) => streamOf('product', productId),
  model: product,
  facts: (_, state) => orgFactOf(state),
  names: () => ({}),
  decide: ({ isAsked }, state, { facts, now }: DecisionContext<OrgFact>): ProductEvent[] => {
    const { lifecycle, orgId } = state;
    if (isAsked) requireLiveChild('product', state, facts);
    else if (lifecycle === 'purged' || !isPurgeDue({ entity: state, org: facts.org, now })) return [];
    return [{ type: 'ProductPurged.v1', data: { orgId, purgedAt: now } }];
  },
});
