import { z } from 'zod';
import type { CollectionEvent } from '../../src/domain/collection/events.ts';
import { collectionMember, membersMax } from '../../src/domain/collection/fields.ts';
import { type MemberFacts, memberFacts, requireLiveMembers } from '../../src/domain/collection/member-facts.ts';
import { collection } from '../../src/domain/collection/state.ts';
import { requireLive } from '../../src/domain/lifetime-rules.ts';
import { type DecisionContext, defineCommand } from '../../src/kernel/command.ts';
import { DomainError } from '../../src/kernel/errors.ts';
import { collectionId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

export const addCollectionMember = defineCommand({
  name: 'AddCollectionMember',
  input: z.strictObject({ collectionId, member: collectionMember }),
  stream: ({ collectionId }) => streamOf('collection', collectionId),
  model: collection,
  facts: ({ member }, _, known: Partial<MemberFacts>) => memberFacts([member.id], known),
  decide: ({ member }, state, { facts }: DecisionContext<MemberFacts>): CollectionEvent[] => {
    requireLive('collection', state);
    requireLiveMembers([member.id], facts);
    const { members } = state;
    if (members.some(({ id }) => id === member.id)) {
      const sentence = `\`${member.id}\` is a member of this collection already.`;
      throw new DomainError('conflict', { field: 'member', value: member.id }, sentence);
    }
    if (members.length >= membersMax) {
      throw new DomainError('limit_exceeded', { cap: 'members', max: membersMax, current: members.length });
    }
    return [{ type: 'CollectionMemberAdded.v1', data: { member } }];
  },
});
