import { z } from 'zod';
import type { CollectionEvent } from '../../src/domain/collection/events.ts';
import { memberId } from '../../src/domain/collection/fields.ts';
import { collection } from '../../src/domain/collection/state.ts';
import { requireLive } from '../../src/domain/lifetime-rules.ts';
import { defineCommand } from '../../src/kernel/command.ts';
import { DomainError } from '../../src/kernel/errors.ts';
import { collectionId, isId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

export const removeCollectionMember = defineCommand({
  name: 'RemoveCollectionMember',
  input: z.strictObject({ collectionId, memberId }),
  stream: ({ collectionId }) => streamOf('collection', collectionId),
  model: collection,
  decide: ({ memberId }, state): CollectionEvent[] => {
    requireLive('collection', state);
    if (!state.members.some(({ id }) => id === memberId)) {
      const entity = isId('org', memberId) ? 'org' : 'product';
      throw new DomainError('not_found', entity, `\`${memberId}\` is not a member of this collection.`);
    }
    return [{ type: 'CollectionMemberRemoved.v1', data: { memberId } }];
  },
});
