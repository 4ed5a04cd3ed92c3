import { z } from 'zod';
import { requireLive } from '../../src/domain/lifetime-rules.ts';
import type { OrgEvent } from '../../src/domain/org/events.ts';
import { org } from '../../src/domain/org/state.ts';
import { changedTags, tagChanges } from '../../src/domain/tag-list.ts';
import { defineCommand } from '../../src/kernel/command.ts';
import { orgId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

export const changeOrgTags = defineCommand({
  name: 'ChangeOrgTags',
  input: z.strictObject({ orgId, tags: tagChanges }),
  stream: ({ orgId }) => streamOf('org', orgId),
  model: org,
  decide: ({ tags: changes }, state): OrgEvent[] => {
    requireLive('org', state);
    const tags = changedTags(state.tags, changes);
    return tags === null ? [] : [{ type: 'OrgChanged.v1', data: { changed: { tags } } }];
  },
});
