import { z } from 'zod';
import { fetchPriorities } from '../../src/domain/enumerations.ts';
import { type OrgFact, orgFactOf } from '../../src/domain/org/org-fact.ts';
import type { SourceEvent } from '../../src/domain/source/events.ts';
import { source } from '../../src/domain/source/state.ts';
import { type DecisionContext, defineCommand } from '../../src/kernel/command.ts';
import { sourceId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

/** By how often a source has something new, or fails (contract 15.3). Whatever somebody has changed meanwhile stays. */
export const changeFetchPriority = defineCommand({
  name: 'ChangeFetchPriority',
  input: z.strictObject({ sourceId, from: z.enum(fetchPriorities), to: z.enum(fetchPriorities) }),
  stream: ({ sourceId }) => streamOf('source', sourceId),
  model: source,
  facts: (_, state) => orgFactOf(state),
  decide: ({ from, to }, state, { facts }: DecisionContext<OrgFact>): SourceEvent[] => {
    const isLive = state.lifecycle === 'live' && (facts.org ?? state).lifecycle === 'live';
    if (!isLive || state.fetchPriority !== from || from === to) return [];
    return [{ type: 'SourceChanged.v1', data: { changed: { fetchPriority: to } } }];
  },
});
