import type { CollectionEvent, CollectionFields, CollectionMember } from '../../src/domain/collection/events.ts';
import { withMember, withoutMember } from '../../src/domain/collection/members.ts';
import { type EarlierSlug, earlierSlugsAfter } from '../../src/domain/name/earlier-slugs.ts';
import { nameKeyOf } from '../../src/domain/name-key.ts';
import { defineProjection, makesOne, one } from '../../src/kernel/projection.ts';

export interface CollectionDocument extends CollectionFields {
  readonly id: string;
  readonly nameKey: string;
  /** The latest first. */
  readonly earlierSlugs: readonly EarlierSlug[];
  /** Also those that nobody sees: whether they are visible is decided by the reader. */
  readonly members: readonly CollectionMember[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

type Members = CollectionDocument['members'];

const changeMembers = <E extends CollectionEvent>(change: (members: Members, data: E['data']) => Members) =>
  one<CollectionDocument, E>(
    (collection, { data, metadata }) =>
      collection && {
        ...collection,
        members: change(collection.members, data),
        updatedAt: metadata.recordedAt,
      },
  );

export const collectionsProjection = defineProjection<CollectionDocument, CollectionEvent>({
  name: 'collections',
  generation: 2,
  indexes: {},
  on: {
    'CollectionCreated.v1': makesOne(({ data, stream }) => ({
      id: stream.id,
      nameKey: nameKeyOf(data.name),
      ...data,
      earlierSlugs: [],
      members: [],
      updatedAt: data.createdAt,
    })),
    'CollectionChanged.v1': one((collection, { data: { changed }, metadata, position }) => {
      if (collection === undefined) return undefined;
      const next = { ...collection, ...changed, updatedAt: metadata.recordedAt };
      const earlierSlugs = earlierSlugsAfter(collection, next.slug, position);
      return { ...next, nameKey: nameKeyOf(next.name), earlierSlugs };
    }),
    'CollectionDeleted.v1': one((collection) => collection && null),
    'CollectionMembersReplaced.v1': changeMembers((_, { members }) => members),
    'CollectionMemberAdded.v1': changeMembers((members, { member }) => withMember(members, member)),
    'CollectionMemberRemoved.v1': changeMembers((members, { memberId }) => withoutMember(members, memberId)),
  },
});
