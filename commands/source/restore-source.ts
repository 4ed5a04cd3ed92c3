import { z } from 'zod';
import { requireRestorable } from '../../src/domain/lifetime-rules.ts';
import { sourceSlugName } from '../../src/domain/name/name-streams.ts';
import { heldSlugWish } from '../../src/domain/name/slug-wish.ts';
import { type OrgFact, orgFactOf, requireOrgOfChild } from '../../src/domain/org/org-fact.ts';
import type { SourceEvent } from '../../src/domain/source/events.ts';
import { sourceNameWishes } from '../../src/domain/source/name-wishes.ts';
import { source } from '../../src/domain/source/state.ts';
import { type DecisionContext, defineCommand } from '../../src/kernel/command.ts';
import { sourceId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

/** Brings it back with the slug and packages that it had, if nobody took them meanwhile. */
export const restoreSource = defineCommand({
  name: 'RestoreSource',
  input: z.strictObject({ sourceId }),
  stream: ({ sourceId }) => streamOf('source', sourceId),
  model: source,
  facts: (_, state) => orgFactOf(state),
  names: ({ sourceId }, state, facts: OrgFact, now) => {
    const expected = { entity: 'source', id: sourceId } as const;
    requireOrgOfChild(expected, state, facts);
    requireRestorable(expected, state, now); // what is gone is not found, whoever holds its names now
    return sourceNameWishes(
      heldSlugWish(state.slug, (slug) => sourceSlugName(state.orgId, slug)),
      state.packages,
    );
  },
  decide: ({ sourceId }, state, { facts, now }: DecisionContext<OrgFact>): SourceEvent[] => {
    const expected = { entity: 'source', id: sourceId } as const;
    requireOrgOfChild(expected, state, facts);
    requireRestorable(expected, state, now);
    return state.lifecycle === 'live' ? [] : [{ type: 'SourceRestored.v1', data: { restoredAt: now } }];
  },
});
