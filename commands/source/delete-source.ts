import { z } from 'zod';
import { type OrgFact, orgFactOf, requireLiveChild } from '../../src/domain/org/org-fact.ts';
import type { SourceEvent } from '../../src/domain/source/events.ts';
import { source } from '../../src/domain/source/state.ts';
import { type DecisionContext, defineCommand } from '../../src/kernel/command.ts';
import { sourceId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

/** Soft: it can be restored for a while, but its slug and packages are free at once. */
export const deleteSource = defineCommand({
  name: 'DeleteSource',
  input: z.strictObject({ sourceId }),
  stream: ({ sourceId }) => streamOf('source', sourceId),
  model: source,
  facts: (_, state) => orgFactOf(state),
  names: () => ({}),
  decide: (_, state, { facts, now }: DecisionContext<OrgFact>): SourceEvent[] => {
    requireLiveChild('source', state, facts);
    return [{ type: 'SourceDeleted.v1', data: { deletedAt: now } }];
  },
});
