import { z } from 'zod';
import type { OrgEvent } from '../../src/domain/org/events.ts';
import { org } from '../../src/domain/org/state.ts';
import { defineCommand } from '../../src/kernel/command.ts';
import { orgId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

/** Lets others try at once, when the one that began could not go on. */
export const abandonPromotion = defineCommand({
  name: 'AbandonPromotion',
  input: z.strictObject({ orgId, holder: z.uuid() }),
  stream: ({ orgId }) => streamOf('org', orgId),
  model: org,
  decide: ({ holder }, { promotion }, { now }): OrgEvent[] =>
    promotion?.holder === holder ? [{ type: 'OrgPromotionAbandoned.v1', data: { abandonedAt: now } }] : [],
});
