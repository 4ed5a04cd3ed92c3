import { z } from 'zod';
import { type OrgFact, orgFactOf, requireLiveChild } from '../../src/domain/org/org-fact.ts';
import { source } from '../../src/domain/source/state.ts';
import { sourceVisibilityEvents } from '../../src/domain/source/visibility.ts';
import { type DecisionContext, defineCommand } from '../../src/kernel/command.ts';
import { sourceId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

export const unhideSource = defineCommand({
  name: 'UnhideSource',
  input: z.strictObject({ sourceId }),
  stream: ({ sourceId }) => streamOf('source', sourceId),
  model: source,
  facts: (_, state) => orgFactOf(state),
  decide: (_, state, { facts, now }: DecisionContext<OrgFact>) => {
    requireLiveChild('source', state, facts);
    return sourceVisibilityEvents(state, false, now);
  },
});
