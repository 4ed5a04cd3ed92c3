import type { TagCreated } from '../../src/domain/tag/events.ts';
import { defineProjection, makesOne } from '../../src/kernel/projection.ts';

/** A tag that somebody made, with the slug that it got: what it is put on says only its name. */
export interface TagDocument {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
}

export const tagsProjection = defineProjection<TagDocument, TagCreated>({
  name: 'tags',
  generation: 1,
  indexes: { bySlug: ['slug'] },
  on: {
    'TagCreated.v1': makesOne(({ data, stream }) => ({ id: stream.id, slug: data.slug, name: data.name })),
  },
});
