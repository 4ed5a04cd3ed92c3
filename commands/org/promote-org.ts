import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { requireLive } from '../../src/domain/lifetime-rules.ts';
import type { OrgEvent } from '../../src/domain/org/events.ts';
import { promotedLocations } from '../../src/domain/org/locations.ts';
import { org } from '../../src/domain/org/state.ts';
import { defineCommand } from '../../src/kernel/command.ts';
import { orgId, sourceId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

/** An org with a source is tracked. */
export const promoteOrg = defineCommand({
  name: 'PromoteOrg',
  input: z.strictObject({
    orgId,
    /** What was made of its locations, by their ids. */
    sources: z.record(z.string(), sourceId),
  }),
  stream: ({ orgId }) => streamOf('org', orgId),
  model: org,
  decide: ({ sources }, state, { now }): OrgEvent[] => {
    requireLive('org', state);
    // It may be tracked already by a source that somebody else added; its locations lead to their sources all the same.
    const { locations } = state;
    const isNews = state.status !== 'tracked' || !isDeepStrictEqual(promotedLocations(locations, sources), locations);
    return isNews ? [{ type: 'OrgPromoted.v1', data: { promotedAt: now, sources } }] : [];
  },
});
