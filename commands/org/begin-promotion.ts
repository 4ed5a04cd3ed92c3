import { z } from 'zod';
import { requireLive } from '../../src/domain/lifetime-rules.ts';
import type { OrgEvent } from '../../src/domain/org/events.ts';
import { org } from '../../src/domain/org/state.ts';
import { defineCommand } from '../../src/kernel/command.ts';
import { DomainError } from '../../src/kernel/errors.ts';
import { orgId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

const claimMs = 10 * 60_000;

/** One at a time makes sources of the locations of a stub; whoever breaks off is followed by another after a while. */
export const beginPromotion = defineCommand({
  name: 'BeginPromotion',
  input: z.strictObject({ orgId }),
  stream: ({ orgId }) => streamOf('org', orgId),
  model: org,
  decide: (_, { promotion, ...state }, { now }): OrgEvent[] => {
    requireLive('org', state);
    if (state.status === 'tracked') return [];
    const isHeld = promotion !== null && promotion.holder !== null;
    if (isHeld && Date.parse(now) - Date.parse(promotion.begunAt) < claimMs) {
      throw new DomainError('promotion_in_progress');
    }
    return [{ type: 'OrgPromotionBegun.v1', data: { begunAt: now } }];
  },
});
