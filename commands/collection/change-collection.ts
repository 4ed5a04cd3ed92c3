import { z } from 'zod';
import { changedFields } from '../../src/domain/changed-fields.ts';
import type { CollectionEvent } from '../../src/domain/collection/events.ts';
import { collectionChangeFields } from '../../src/domain/collection/fields.ts';
import { type CollectionState, collection } from '../../src/domain/collection/state.ts';
import { requireLive } from '../../src/domain/lifetime-rules.ts';
import { collectionSlugName } from '../../src/domain/name/name-streams.ts';
import { changedSlugWish } from '../../src/domain/name/slug-wish.ts';
import { defineCommand } from '../../src/kernel/command.ts';
import { collectionId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

export const changeCollection = defineCommand({
  name: 'ChangeCollection',
  input: z.strictObject({ collectionId, changes: collectionChangeFields }),
  stream: ({ collectionId }) => streamOf('collection', collectionId),
  model: collection,
  names: ({ changes }, state) => {
    requireLive('collection', state); // one that is gone is not found, whoever has the slug now
    return { slug: changedSlugWish('collection', state.slug, changes.slug, collectionSlugName) };
  },
  decide: ({ changes }, state): CollectionEvent[] => {
    requireLive('collection', state);
    const changed = changedFields<CollectionState>(state, changes);
    return changed === null ? [] : [{ type: 'CollectionChanged.v1', data: { changed } }];
  },
});
