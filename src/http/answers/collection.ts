import { z } from 'zod';
import { collectionId } from '../../kernel/ids.ts';
import { count } from './count.ts';
import { cursorPagination, pagePagination } from './pagination.ts';
import { feedItem } from './release-item.ts';
import { timestamp } from './timestamp.ts';

const orgOfProduct = z.strictObject({
  slug: z.string(),
  name: z.string(),
  domain: z.string().nullable(),
  avatarUrl: z.string().nullable(),
  githubHandle: z.string().nullable(),
});

const memberOrg = orgOfProduct.extend({ description: z.string().nullable() });

export const collectionMember = z.discriminatedUnion('kind', [
  memberOrg.extend({ kind: z.literal('org') }),
  z.strictObject({
    kind: z.literal('product'),
    slug: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    org: orgOfProduct,
  }),
]);

const collectionItem = z
  .strictObject({
    slug: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    memberCount: count,
    isFeatured: z.boolean(),
    previewMembers: z.array(collectionMember).max(3),
    previewOrgs: z.array(memberOrg).max(3),
  })
  .meta({ id: 'CollectionItem' });

export const collectionList = z.strictObject({ items: z.array(collectionItem), pagination: pagePagination });

export const collectionItems = z.array(collectionItem);

export const collectionDetail = z
  .strictObject({
    id: collectionId,
    slug: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    isFeatured: z.boolean(),
    memberCount: count,
    members: z.array(collectionMember),
    orgs: z.array(memberOrg),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Collection' });

export const collectionReleases = z.strictObject({ releases: z.array(feedItem), pagination: cursorPagination });
