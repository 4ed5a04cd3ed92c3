import { z } from 'zod';
import { categories, kinds, orgStatuses, sourceTypes } from '../../domain/enumerations.ts';
import { orgId, productId, sourceId } from '../../kernel/ids.ts';
import { collectionMember } from './collection.ts';
import { count } from './count.ts';

const orgHit = z
  .strictObject({
    id: orgId,
    slug: z.string(),
    name: z.string(),
    domain: z.string().nullable(),
    avatarUrl: z.string().nullable(),
    category: z.enum(categories).nullable(),
    status: z.enum(orgStatuses),
    aliasDomains: z.array(z.string()),
  })
  .meta({ id: 'OrgHit' });

const catalogFields = {
  slug: z.string(),
  name: z.string(),
  orgSlug: z.string().nullable(),
  orgName: z.string().nullable(),
  orgAvatarUrl: z.string().nullable(),
  category: z.enum(categories).nullable(),
  /** Its own. */
  kind: z.enum(kinds).nullable(),
};

const catalogHit = z
  .discriminatedUnion('entryType', [
    z.strictObject({ entryType: z.literal('product'), id: productId, ...catalogFields }),
    z.strictObject({
      entryType: z.literal('source'),
      id: sourceId,
      ...catalogFields,
      sourceType: z.enum(sourceTypes),
      /** Of one that has a product. */
      productSlug: z.string().optional(),
    }),
  ])
  .meta({ id: 'CatalogHit' });

const collectionHit = z
  .strictObject({
    slug: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    memberCount: count,
    via: z.enum(['direct', 'member']),
    matchedOrgSlugs: z.array(z.string()),
    previewMembers: z.array(collectionMember).max(3),
  })
  .meta({ id: 'CollectionHit' });

/** What a search finds beside releases (contract 7.1). */
export const entitySections = {
  orgs: z.array(orgHit),
  catalog: z.array(catalogHit),
  collections: z.array(collectionHit),
};

/** Only where a query names a repository. */
export const lookupHint = z
  .strictObject({
    provider: z.literal('github'),
    coordinate: z.string(),
    status: z.enum(['tracked', 'untracked']),
    sourceId: sourceId.nullable(),
    orgSlug: z.string().nullable(),
  })
  .meta({ id: 'LookupHint' });
