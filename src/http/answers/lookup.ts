import { z } from 'zod';
import { categories, orgStatuses } from '../../domain/enumerations.ts';
import { orgId, productId, sourceId } from '../../kernel/ids.ts';
import { location } from './org.ts';
import { sourceRecord } from './source.ts';
import { feedItem } from './release-item.ts';

export const domainLookup = z.strictObject({
  domain: z.string(),
  org: z
    .strictObject({
      id: orgId,
      slug: z.string(),
      name: z.string(),
      domain: z.string().nullable(),
      description: z.string().nullable(),
      category: z.enum(categories).nullable(),
      avatarUrl: z.string().nullable(),
      matchedVia: z.enum(['primary', 'alias']),
      status: z.enum(orgStatuses),
      /** Of a stub only. */
      locations: z.array(location).optional(),
    })
    .nullable(),
  products: z.array(
    z.strictObject({
      id: productId,
      slug: z.string(),
      name: z.string(),
      orgId,
      orgSlug: z.string(),
      orgName: z.string(),
      category: z.enum(categories).nullable(),
    }),
  ),
});

export const sourceLookup = z.strictObject({
  sourceId,
  sourceSlug: z.string(),
  orgId: orgId.nullable(),
  orgSlug: z.string().nullable(),
  path: z.string(),
});

export const productLookup = z.strictObject({
  productId,
  productSlug: z.string(),
  orgId,
  orgSlug: z.string(),
  path: z.string(),
});

/** What a lookup of a repository came to (contract 8). */
export const lookup = z
  .strictObject({
    status: z.enum(['indexed', 'existing', 'empty', 'not_found', 'deferred']),
    source: sourceRecord.nullable(),
    releases: z.array(feedItem).max(20),
    relatedOrg: z.strictObject({ id: orgId, slug: z.string(), name: z.string() }).nullable(),
  })
  .meta({ id: 'Lookup' });
