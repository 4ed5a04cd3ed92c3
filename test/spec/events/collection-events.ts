import type {
  CollectionCreated,
  CollectionEvent,
  CollectionMember,
  CollectionMembersReplaced,
} from '../../../src/domain/collection/events.ts';
import { idOf } from './entity-events.ts';

export const tools = idOf('col', 'T');

export const collectionCreated = (fields: Partial<CollectionCreated['data']> = {}): CollectionCreated => ({
  type: 'CollectionCreated.v1',
  data: {
    slug: 'tools',
    name: 'Tools',
    description: null,
    isFeatured: false,
    createdAt: '2026-01-01T00:00:00.000Z',
    ...fields,
  },
});

export const collectionDeleted: CollectionEvent = {
  type: 'CollectionDeleted.v1',
  data: { deletedAt: '2026-02-20T00:00:00.000Z' },
};

export const membersReplaced = (...members: CollectionMember[]): CollectionMembersReplaced => ({
  type: 'CollectionMembersReplaced.v1',
  data: { members },
});
