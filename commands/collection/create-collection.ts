import type { CollectionEvent } from '../../src/domain/collection/events.ts';
import { collectionCreateFields } from '../../src/domain/collection/fields.ts';
import { collection } from '../../src/domain/collection/state.ts';
import { collectionSlugName } from '../../src/domain/name/name-streams.ts';
import { chosenSlug, newSlugWish } from '../../src/domain/name/slug-wish.ts';
import { defineCommand } from '../../src/kernel/command.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

export const createCollection = defineCommand({
  name: 'CreateCollection',
  input: collectionCreateFields,
  stream: (_, newId) => streamOf('collection', newId('col')),
  model: collection,
  names: ({ slug, name }) => ({ slug: newSlugWish('collection', slug, name, collectionSlugName) }),
  decide: (fields, _, { now, names }): CollectionEvent[] => [
    {
      type: 'CollectionCreated.v1',
      data: { description: null, isFeatured: false, ...fields, slug: chosenSlug(names), createdAt: now },
    },
  ],
});
