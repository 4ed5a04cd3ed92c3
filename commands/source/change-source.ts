import { z } from 'zod';
import { changedFields } from '../../src/domain/changed-fields.ts';
import { sourceSlugName } from '../../src/domain/name/name-streams.ts';
import { changedSlugWish } from '../../src/domain/name/slug-wish.ts';
import { orgFactOf, requireLiveChild } from '../../src/domain/org/org-fact.ts';
import { requirePartOfOrg } from '../../src/domain/part-of-org.ts';
import type { SourceEvent, SourceFields } from '../../src/domain/source/events.ts';
import { sourceChangeFields } from '../../src/domain/source/fields.ts';
import { mergeMetadata } from '../../src/domain/source/metadata.ts';
import { sourceNameWishes } from '../../src/domain/source/name-wishes.ts';
import { productFact, type SourceFacts } from '../../src/domain/source/source-facts.ts';
import { type SourceState, source } from '../../src/domain/source/state.ts';
import { sourceVisibilityEvents } from '../../src/domain/source/visibility.ts';
import { type DecisionContext, defineCommand } from '../../src/kernel/command.ts';
import { sourceId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

type Changes = z.infer<typeof sourceChangeFields>;

function requireValid({ productId = null }: Changes, state: SourceState, facts: SourceFacts): void {
  requireLiveChild('source', state, facts);
  if (productId !== null) requirePartOfOrg('product', facts.product, state.orgId, 'productId');
}

function changedSourceFields(
  { isHidden: _, metadata = {}, ...fields }: Changes,
  { state, isPrimaryNow }: { readonly state: SourceState; readonly isPrimaryNow: boolean },
) {
  const wanted: Partial<SourceFields> = { ...fields, metadata: mergeMetadata(state.metadata, metadata) };
  const changed = changedFields<SourceState>(state, wanted);
  // Of the siblings that asked to be primary the last one is, so asking again is news to one that another has cleared.
  return fields.isPrimary && !isPrimaryNow ? { ...changed, isPrimary: true } : changed;
}

/** The product that it is put in, or else stays in where it asks to be the primary source: then that one may be deleted. */
const askedProductId = ({ productId, isPrimary }: Changes, state: SourceState): string | null =>
  productId === undefined && isPrimary ? state.productId : (productId ?? null);

/** A source stays when its product is deleted, without one; the event tells so, for its fold sees no products. */
const withoutProduct = ({ isPrimary }: Partial<SourceFields>, { product }: SourceFacts) =>
  isPrimary && product !== undefined && product.lifecycle !== 'live'
    ? ({ isPrimaryWithoutProduct: true } as const)
    : {};

export const changeSource = defineCommand({
  name: 'ChangeSource',
  input: z.strictObject({
    sourceId,
    changes: sourceChangeFields,
    /** As readers see it: then asking for it is nothing new. */
    isPrimaryNow: z.boolean().default(false),
  }),
  stream: ({ sourceId }) => streamOf('source', sourceId),
  model: source,
  facts: ({ changes }, state) => ({ ...orgFactOf(state), ...productFact(askedProductId(changes, state)) }),
  names: ({ changes }, state, facts: SourceFacts) => {
    requireValid(changes, state, facts);
    const slug = changedSlugWish('source', state.slug, changes.slug, (text) => sourceSlugName(state.orgId, text));
    return sourceNameWishes(slug, changes.packages ?? state.packages);
  },
  decide: ({ changes, isPrimaryNow }, state, { facts, now }: DecisionContext<SourceFacts>): SourceEvent[] => {
    requireValid(changes, state, facts);
    const changed = changedSourceFields(changes, { state, isPrimaryNow });
    return [
      ...(changed === null
        ? []
        : [{ type: 'SourceChanged.v1', data: { changed, ...withoutProduct(changed, facts) } } as const]),
      ...sourceVisibilityEvents(state, changes.isHidden, now),
    ];
  },
});
