import { z } from 'zod';
import { tagSlugName } from '../../src/domain/name/name-streams.ts';
import { chosenSlug, heldSlugWish, newSlugWish } from '../../src/domain/name/slug-wish.ts';
import type { TagCreated } from '../../src/domain/tag/events.ts';
import { tag } from '../../src/domain/tag/state.ts';
import { tagKeyOf, tagName } from '../../src/domain/tag-list.ts';
import { defineCommand } from '../../src/kernel/command.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

/** Names that differ only in case are one tag, and the first spelling stays: its id follows from the name. */
export const createTag = defineCommand({
  name: 'CreateTag',
  input: z.strictObject({ name: tagName }),
  stream: ({ name }, newId) => streamOf('tag', newId('tag', tagKeyOf(name))),
  model: tag,
  names: ({ name }, state) => ({
    slug:
      state.status === 'live'
        ? heldSlugWish(state.slug, tagSlugName)
        : newSlugWish('tag', undefined, name, tagSlugName),
  }),
  decide: ({ name }, state, { names, now }): TagCreated[] =>
    state.status === 'live' ? [] : [{ type: 'TagCreated.v1', data: { slug: chosenSlug(names), name, createdAt: now } }],
});
