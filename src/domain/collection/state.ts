import type { Model } from '../../kernel/model.ts';
import type { Lifecycle } from '../lifecycle.ts';
import { collectionSlugName } from '../name/name-streams.ts';
import type { CollectionEvent, CollectionFields, CollectionMember } from './events.ts';
import { withMember, withoutMember } from './members.ts';

export interface CollectionState extends CollectionFields {
  readonly lifecycle: Lifecycle;
  readonly members: readonly CollectionMember[];
}

const initial: CollectionState = {
  lifecycle: 'absent',
  slug: '',
  name: '',
  description: null,
  isFeatured: false,
  members: [],
};

export const collection: Model<CollectionState, CollectionEvent> = {
  foldVersion: 1,
  initial,
  evolve: (state, event) => {
    switch (event.type) {
      case 'CollectionCreated.v1': {
        const { slug, name, description, isFeatured } = event.data;
        return { ...initial, slug, name, description, isFeatured, lifecycle: 'live' };
      }
      case 'CollectionChanged.v1':
        return { ...state, ...event.data.changed };
      case 'CollectionDeleted.v1':
        return { ...initial, lifecycle: 'deleted' };
      case 'CollectionMembersReplaced.v1':
        return { ...state, members: event.data.members };
      case 'CollectionMemberAdded.v1':
        return { ...state, members: withMember(state.members, event.data.member) };
      case 'CollectionMemberRemoved.v1':
        return { ...state, members: withoutMember(state.members, event.data.memberId) };
      default:
        return state;
    }
  },
};

/** A deleted collection is gone for good, and its slug free. */
export const collectionNames = ({ lifecycle, slug }: CollectionState): string[] =>
  lifecycle === 'live' ? [collectionSlugName(slug)] : [];
