import { z } from 'zod';
import { requireLive } from '../../src/domain/lifetime-rules.ts';
import { type OrgFact, orgFact } from '../../src/domain/org/org-fact.ts';
import { longText } from '../../src/domain/overview/fields.ts';
import type { PlaybookEvent } from '../../src/domain/playbook/events.ts';
import { playbook } from '../../src/domain/playbook/state.ts';
import { type DecisionContext, defineCommand } from '../../src/kernel/command.ts';
import { orgId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

export const writePlaybook = defineCommand({
  name: 'WritePlaybook',
  input: z.strictObject({ orgId, content: longText }),
  stream: ({ orgId }) => streamOf('playbook', orgId),
  model: playbook,
  facts: ({ orgId }) => orgFact(orgId),
  decide: ({ content }, state, { facts, now }: DecisionContext<OrgFact>): PlaybookEvent[] => {
    requireLive('org', facts.org);
    return state?.content === content ? [] : [{ type: 'PlaybookWritten.v1', data: { content, updatedAt: now } }];
  },
});
