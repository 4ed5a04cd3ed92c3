import { z } from 'zod';
import { requireRestorable } from '../../src/domain/lifetime-rules.ts';
import { orgSlugName } from '../../src/domain/name/name-streams.ts';
import { heldSlugWish } from '../../src/domain/name/slug-wish.ts';
import type { OrgEvent } from '../../src/domain/org/events.ts';
import { orgNameWishes } from '../../src/domain/org/name-wishes.ts';
import { org } from '../../src/domain/org/state.ts';
import { defineCommand } from '../../src/kernel/command.ts';
import { orgId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

/** Brings it back with the names that it had, if nobody took them meanwhile. */
export const restoreOrg = defineCommand({
  name: 'RestoreOrg',
  input: z.strictObject({ orgId }),
  stream: ({ orgId }) => streamOf('org', orgId),
  model: org,
  names: ({ orgId }, state, _, now) => {
    requireRestorable({ entity: 'org', id: orgId }, state, now); // an org that is gone is not found, whoever holds its names now
    return orgNameWishes(heldSlugWish(state.slug, orgSlugName), state);
  },
  decide: ({ orgId }, state, { now }): OrgEvent[] => {
    requireRestorable({ entity: 'org', id: orgId }, state, now);
    return state.lifecycle === 'live' ? [] : [{ type: 'OrgRestored.v1', data: { restoredAt: now } }];
  },
});
