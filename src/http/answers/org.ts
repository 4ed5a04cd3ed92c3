import { z } from 'zod';
import { categories, discoveries, kinds, locationBases, orgStatuses } from '../../domain/enumerations.ts';
import { orgId, productId, sourceId } from '../../kernel/ids.ts';
import { count } from './count.ts';
import { notice } from './notice.ts';
import { overview, playbook } from './overview.ts';
import { cursorPagination, pagePagination } from './pagination.ts';
import { feedItem } from './release-item.ts';
import { productDetail } from './product.ts';
import { sourceDetail, sourceRecord } from './source.ts';
import { timestamp } from './timestamp.ts';

const orgItem = z
  .strictObject({
    id: orgId,
    slug: z.string(),
    name: z.string(),
    domain: z.string().nullable(),
    description: z.string().nullable(),
    category: z.enum(categories).nullable(),
    avatarUrl: z.string().nullable(),
    featured: z.boolean(),
    status: z.enum(orgStatuses),
    aliasDomains: z.array(z.string()),
    sourceCount: count,
    releaseCount: count,
    recentReleaseCount: count,
    lastActivity: timestamp.nullable(),
    topProducts: z.array(z.string()).max(3),
    sparkline: z.array(count).length(30),
    /** On lists of tracking requests only. */
    trackingRequestedAt: timestamp.nullable().optional(),
  })
  .meta({ id: 'OrgItem' });

export const orgList = z.strictObject({
  items: z.array(orgItem),
  pagination: pagePagination,
  meta: z.strictObject({ emptyOrgCount: count }),
});

/** Exactly one of the first five is there. */
export const location = z.strictObject({
  url: z.string().optional(),
  feed: z.string().optional(),
  github: z.string().optional(),
  appstore: z.string().optional(),
  file: z.string().optional(),
  title: z.string().nullable(),
  canonical: z.boolean(),
  basis: z.enum(locationBases),
  productId: productId.nullable(),
  sourceId: sourceId.nullable(),
});

export const account = z.strictObject({ platform: z.string(), handle: z.string() }).meta({ id: 'Account' });

export const accountPage = z.strictObject({ items: z.array(account), pagination: pagePagination });

const productEntry = z.strictObject({
  id: productId,
  slug: z.string(),
  name: z.string(),
  url: z.string().nullable(),
  description: z.string().nullable(),
  kind: z.enum(kinds).nullable(),
  createdAt: timestamp,
  sourceCount: count,
  releaseCount: count,
});

/** An org with all that is its own (contract 3.2). */
export const orgDetail = z
  .strictObject({
    id: orgId,
    slug: z.string(),
    name: z.string(),
    domain: z.string().nullable(),
    description: z.string().nullable(),
    category: z.enum(categories).nullable(),
    avatarUrl: z.string().nullable(),
    isHidden: z.boolean(),
    autoGenerateContent: z.boolean(),
    featured: z.boolean(),
    fetchPaused: z.boolean(),
    overviewCadenceDays: z.int().min(1).max(90).nullable(),
    discovery: z.enum(discoveries),
    status: z.enum(orgStatuses),
    tags: z.array(z.string()),
    aliases: z.array(z.string()),
    accounts: z.array(account),
    sourceCount: count,
    releaseCount: count,
    releasesLast30Days: count,
    avgReleasesPerWeek: z.number().min(0),
    lastFetchedAt: timestamp.nullable(),
    lastPolledAt: timestamp.nullable(),
    trackingSince: timestamp,
    locations: z.array(location),
    products: z.array(productEntry),
    sources: z.array(sourceRecord),
    overview: overview.nullable(),
    notice: notice.nullable(),
    /** For callers with a credential only. */
    playbook: playbook.nullable().optional(),
  })
  .meta({ id: 'OrgDetail' });

/** What a name below an org means. */
export const resolved = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('product'), product: productDetail }),
  z.strictObject({ kind: z.literal('source'), source: sourceDetail }),
]);

export const promotedOrg = z.strictObject({ org: orgDetail, createdSources: count });
export const demotedOrg = z.strictObject({ org: orgDetail });
export const requestedTracking = z.strictObject({ requested: z.literal(true), trackingRequestedAt: timestamp });

export const orgReleases = z.strictObject({ releases: z.array(feedItem), pagination: cursorPagination });
