import { z } from 'zod';
import { requireLive } from '../../src/domain/lifetime-rules.ts';
import { type OrgFact, orgFact } from '../../src/domain/org/org-fact.ts';
import type { PlaybookEvent } from '../../src/domain/playbook/events.ts';
import { playbook } from '../../src/domain/playbook/state.ts';
import { type DecisionContext, defineCommand } from '../../src/kernel/command.ts';
import { orgId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

export const removePlaybook = defineCommand({
  name: 'RemovePlaybook',
  input: z.strictObject({ orgId }),
  stream: ({ orgId }) => streamOf('playbook', orgId),
  model: playbook,
  facts: ({ orgId }) => orgFact(orgId),
  decide: (_, state, { facts, now }: DecisionContext<OrgFact>): PlaybookEvent[] => {
    requireLive('org', facts.org);
    return state === null ? [] : [{ type: 'PlaybookRemoved.v1', data: { removedAt: now } }];
  },
});
