import { z } from 'zod';
import type { CollectionEvent, CollectionFields } from '../../domain/collection/events.ts';
import { orgId, productId } from '../../kernel/ids.ts';
import { deleted } from './lifecycle.ts';
import { type PublicationsOf, publish } from './publication.ts';
import { count, fieldNames, timestamp } from './values.ts';

const collectionNames = fieldNames<CollectionFields>({ slug: true, name: true, description: true, isFeatured: true });

const memberId = z.union([orgId, productId]);
const member = z.strictObject({ id: memberId, position: count.nullable() });

export const collectionPublications: PublicationsOf<CollectionEvent> = {
  'CollectionCreated.v1': publish({ isFeatured: z.boolean(), createdAt: timestamp }, ({ isFeatured, createdAt }) => ({
    isFeatured,
    createdAt,
  })),
  'CollectionChanged.v1': publish({ changedFields: collectionNames.schema }, ({ changed }) => ({
    changedFields: collectionNames.of(changed),
  })),
  'CollectionMembersReplaced.v1': publish({ members: z.array(member) }, ({ members }) => ({
    members: members.map(({ id, position }) => ({ id, position })),
  })),
  'CollectionMemberAdded.v1': publish({ member }, ({ member: { id, position } }) => ({ member: { id, position } })),
  'CollectionMemberRemoved.v1': publish({ memberId }, ({ memberId }) => ({ memberId })),
  'CollectionDeleted.v1': deleted,
};
