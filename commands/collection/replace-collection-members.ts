import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { CollectionEvent } from '../../src/domain/collection/events.ts';
import { collectionMembers } from '../../src/domain/collection/fields.ts';
import {
  type MemberFacts,
  memberFacts,
  newMemberIds,
  requireLiveMembers,
} from '../../src/domain/collection/member-facts.ts';
import { collection } from '../../src/domain/collection/state.ts';
import { requireLive } from '../../src/domain/lifetime-rules.ts';
import { type DecisionContext, defineCommand } from '../../src/kernel/command.ts';
import { collectionId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

export const replaceCollectionMembers = defineCommand({
  name: 'ReplaceCollectionMembers',
  input: z.strictObject({ collectionId, members: collectionMembers }),
  stream: ({ collectionId }) => streamOf('collection', collectionId),
  model: collection,
  facts: ({ members }, state, known: Partial<MemberFacts>) => memberFacts(newMemberIds(state, members), known),
  decide: ({ members }, state, { facts }: DecisionContext<MemberFacts>): CollectionEvent[] => {
    requireLive('collection', state);
    requireLiveMembers(newMemberIds(state, members), facts);
    return isDeepStrictEqual(members, state.members)
      ? []
      : [{ type: 'CollectionMembersReplaced.v1', data: { members } }];
  },
});
