import { z } from 'zod';
import { type OrgFact, orgFactOf, requireLiveChild } from '../../src/domain/org/org-fact.ts';
import type { SourceEvent } from '../../src/domain/source/events.ts';
import { source } from '../../src/domain/source/state.ts';
import { isPurgeDue } from '../../src/domain/purge/due.ts';
import { type DecisionContext, defineCommand } from '../../src/kernel/command.ts';
import { sourceId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

/** For good, with its releases: because somebody asked for it, its time is over, or its org is purged. */
export const purgeSource = defineCommand({
  name: 'PurgeSource',
  input: z.strictObject({ sourceId, isAsked: z.boolean() }),
  stream: ({ sourceId }) => streamOf('source', sourceId),
  model: source,
  facts: (_, state) => orgFactOf(state),
  names: () => ({}),
  decide: ({ isAsked }, state, { facts, now }: DecisionContext<OrgFact>): SourceEvent[] => {
    const { lifecycle, orgId } = state;
    if (isAsked) requireLiveChild('source', state, facts);
    else if (lifecycle === 'purged' || !isPurgeDue({ entity: state, org: facts.org, now })) return [];
    return [{ type: 'SourcePurged.v1', data: { orgId, purgedAt: now } }];
  },
});
