import { requireLive } from '../../src/domain/lifetime-rules.ts';
import { productSlugName } from '../../src/domain/name/name-streams.ts';
import { chosenSlug, newSlugWish } from '../../src/domain/name/slug-wish.ts';
import { type OrgFact, orgFact } from '../../src/domain/org/org-fact.ts';
import type { ProductEvent } from '../../src/domain/product/events.ts';
import { productCreateFields } from '../../src/domain/product/fields.ts';
import { product } from '../../src/domain/product/state.ts';
import { type DecisionContext, defineCommand } from '../../src/kernel/command.ts';
import { orgId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

export const createProduct = defineCommand({
  name: 'CreateProduct',
  input: productCreateFields.extend({ orgId }),
  stream: (_, newId) => streamOf('product', newId('prod')),
  model: product,
  facts: ({ orgId }) => orgFact(orgId),
  names: ({ orgId, slug, name }, _, { org }: OrgFact) => {
    requireLive('org', org);
    return { slug: newSlugWish('product', slug, name, (text) => productSlugName(orgId, text)) };
  },
  decide: (fields, _, { facts, names, now }: DecisionContext<OrgFact>): ProductEvent[] => {
    requireLive('org', facts.org);
    return [
      {
        type: 'ProductCreated.v1',
        data: {
          url: null,
          description: null,
          category: null,
          kind: null,
          avatarUrl: null,
          tags: [],
          aliases: [],
          notice: null,
          ...fields,
          slug: chosenSlug(names),
          createdAt: now,
        },
      },
    ];
  },
});
