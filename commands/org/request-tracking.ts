import { z } from 'zod';
import { requireLive } from '../../src/domain/lifetime-rules.ts';
import type { OrgEvent } from '../../src/domain/org/events.ts';
import { org } from '../../src/domain/org/state.ts';
import { defineCommand } from '../../src/kernel/command.ts';
import { DomainError } from '../../src/kernel/errors.ts';
import { orgId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

/** Who asks again is told when it was asked for first. */
export const requestTracking = defineCommand({
  name: 'RequestTracking',
  input: z.strictObject({ orgId }),
  stream: ({ orgId }) => streamOf('org', orgId),
  model: org,
  decide: (_, state, { now }): OrgEvent[] => {
    requireLive('org', state);
    if (state.status === 'tracked') throw new DomainError('already_tracked');
    return state.trackingRequestedAt === null ? [{ type: 'OrgTrackingRequested.v1', data: { requestedAt: now } }] : [];
  },
});
