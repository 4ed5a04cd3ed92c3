import { z } from 'zod';
import { requireLive } from '../../src/domain/lifetime-rules.ts';
import type { OrgEvent } from '../../src/domain/org/events.ts';
import { org } from '../../src/domain/org/state.ts';
import { defineCommand } from '../../src/kernel/command.ts';
import { DomainError } from '../../src/kernel/errors.ts';
import { orgId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

/** Back to a stub, which is known by its locations: without one nobody could ever promote it again. */
export const demoteOrg = defineCommand({
  name: 'DemoteOrg',
  input: z.strictObject({ orgId }),
  stream: ({ orgId }) => streamOf('org', orgId),
  model: org,
  decide: (_, state, { now }): OrgEvent[] => {
    requireLive('org', state);
    if (state.status === 'stub') return [];
    if (state.locations.length === 0) {
      throw new DomainError('conflict', { field: 'locations' }, 'The org has no stored location; send one first.');
    }
    return [{ type: 'OrgDemoted.v1', data: { demotedAt: now } }];
  },
});
