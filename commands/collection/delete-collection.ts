import { z } from 'zod';
import type { CollectionEvent } from '../../src/domain/collection/events.ts';
import { collection } from '../../src/domain/collection/state.ts';
import { requireLive } from '../../src/domain/lifetime-rules.ts';
import { defineCommand } from '../../src/kernel/command.ts';
import { collectionId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

/** For good: a collection cannot be restored. Its slug is free at once. */
export const deleteCollection = defineCommand({
  name: 'DeleteCollection',
  input: z.strictObject({ collectionId }),
  stream: ({ collectionId }) => streamOf('collection', collectionId),
  model: collection,
  names: () => ({}),
  decide: (_, state, { now }): CollectionEvent[] => {
    requireLive('collection', state);
    return [{ type: 'CollectionDeleted.v1', data: { deletedAt: now } }];
  },
});
