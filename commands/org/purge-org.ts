import { z } from 'zod';
import { requireLive } from '../../src/domain/lifetime-rules.ts';
import type { OrgEvent } from '../../src/domain/org/events.ts';
import { org } from '../../src/domain/org/state.ts';
import { isPurgeDue } from '../../src/domain/purge/due.ts';
import { defineCommand } from '../../src/kernel/command.ts';
import { orgId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

/** For good, with all that is below it: because somebody asked for it, or because its time is over. */
export const purgeOrg = defineCommand({
  name: 'PurgeOrg',
  input: z.strictObject({ orgId, isAsked: z.boolean() }),
  stream: ({ orgId }) => streamOf('org', orgId),
  model: org,
  names: () => ({}),
  decide: ({ isAsked }, state, { now }): OrgEvent[] => {
    if (isAsked) requireLive('org', state);
    else if (state.lifecycle === 'purged' || !isPurgeDue({ entity: state, now })) return [];
    return [{ type: 'OrgPurged.v1', data: { purgedAt: now } }];
  },
});
