import { z } from 'zod';
import { requireLive } from '../../src/domain/lifetime-rules.ts';
import { org } from '../../src/domain/org/state.ts';
import { orgVisibilityEvents } from '../../src/domain/org/visibility.ts';
import { defineCommand } from '../../src/kernel/command.ts';
import { orgId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

/** Its products and sources are shown again, but for those that are hidden themselves. */
export const unhideOrg = defineCommand({
  name: 'UnhideOrg',
  input: z.strictObject({ orgId }),
  stream: ({ orgId }) => streamOf('org', orgId),
  model: org,
  decide: (_, state, { now }) => {
    requireLive('org', state);
    return orgVisibilityEvents(state, false, now);
  },
});
