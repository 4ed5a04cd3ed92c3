import { z } from 'zod';
import { requireLive } from '../../src/domain/lifetime-rules.ts';
import type { OrgEvent } from '../../src/domain/org/events.ts';
import { org } from '../../src/domain/org/state.ts';
import { defineCommand } from '../../src/kernel/command.ts';
import { orgId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

/** Soft: it can be restored for a while, but its slug and domains are free at once. */
export const deleteOrg = defineCommand({
  name: 'DeleteOrg',
  input: z.strictObject({ orgId }),
  stream: ({ orgId }) => streamOf('org', orgId),
  model: org,
  names: () => ({}),
  decide: (_, state, { now }): OrgEvent[] => {
    requireLive('org', state);
    return [{ type: 'OrgDeleted.v1', data: { deletedAt: now } }];
  },
});
