import { requireLive } from '../../src/domain/lifetime-rules.ts';
import { sourceSlugName } from '../../src/domain/name/name-streams.ts';
import { chosenSlug, newSlugWish } from '../../src/domain/name/slug-wish.ts';
import { orgFact } from '../../src/domain/org/org-fact.ts';
import { requirePartOfOrg } from '../../src/domain/part-of-org.ts';
import { detectSourceType } from '../../src/domain/source/detect-type.ts';
import type { SourceEvent } from '../../src/domain/source/events.ts';
import { sourceCreateFields } from '../../src/domain/source/fields.ts';
import { mergeMetadata } from '../../src/domain/source/metadata.ts';
import { sourceNameWishes } from '../../src/domain/source/name-wishes.ts';
import { productFact, type SourceFacts } from '../../src/domain/source/source-facts.ts';
import { source } from '../../src/domain/source/state.ts';
import { type DecisionContext, defineCommand } from '../../src/kernel/command.ts';
import { orgId, productId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

interface Parents {
  readonly orgId?: string | null;
  readonly productId?: string | null;
}

/** A source without an org is standalone; then it can be in no product. */
function requireParents({ orgId = null, productId = null }: Parents, { org, product }: SourceFacts): void {
  if (orgId !== null) requireLive('org', org);
  if (productId !== null) requirePartOfOrg('product', product, orgId, 'productId');
}

export const createSource = defineCommand({
  name: 'CreateSource',
  input: sourceCreateFields.extend({
    orgId: orgId.nullable().exactOptional(),
    productId: productId.nullable().exactOptional(),
  }),
  stream: (_, newId) => streamOf('source', newId('src')),
  model: source,
  facts: ({ orgId = null, productId }) => ({ ...orgFact(orgId), ...productFact(productId) }),
  names: (input, _, facts: SourceFacts) => {
    requireParents(input, facts);
    const { orgId = null, slug, name, packages = [] } = input;
    return sourceNameWishes(
      newSlugWish('source', slug, name, (text) => sourceSlugName(orgId, text)),
      packages,
    );
  },
  decide: (input, _, { facts, names, now }: DecisionContext<SourceFacts>): SourceEvent[] => {
    requireParents(input, facts);
    const { isHidden = false, ...fields } = input;
    const metadata = mergeMetadata({}, fields.metadata ?? {});
    const created: SourceEvent = {
      type: 'SourceCreated.v1',
      data: {
        orgId: null,
        productId: null,
        kind: null,
        isPrimary: false,
        discovery: 'curated',
        fetchPriority: 'normal',
        packages: [],
        type: detectSourceType(fields.url, metadata),
        ...fields,
        metadata,
        slug: chosenSlug(names),
        createdAt: now,
      },
    };
    return isHidden ? [created, { type: 'SourceHidden.v1', data: { hiddenAt: now } }] : [created];
  },
});
