import { z } from 'zod';
import { discoveries, fetchPriorities, kinds, packageEcosystems, sourceTypes } from '../../domain/enumerations.ts';
import { orgId, productId, sourceId } from '../../kernel/ids.ts';
import { count } from './count.ts';
import { cursorPagination, numberedPagination, pagePagination } from './pagination.ts';
import { feedItem } from './release-item.ts';
import { timestamp } from './timestamp.ts';

/** A source in lists and in the detail of its org (contract 5.1). */
export const sourceRecord = z
  .strictObject({
    id: sourceId,
    slug: z.string(),
    name: z.string(),
    type: z.enum(sourceTypes),
    url: z.string(),
    orgSlug: z.string().nullable(),
    orgName: z.string().nullable(),
    productName: z.string().nullable(),
    productSlug: z.string().nullable(),
    kind: z.enum(kinds).nullable(),
    isPrimary: z.boolean(),
    isHidden: z.boolean(),
    discovery: z.enum(discoveries),
    fetchPriority: z.enum(fetchPriorities).nullable(),
    /** JSON text. */
    metadata: z.string().nullable(),
    releaseCount: count,
    latestVersion: z.string().nullable(),
    latestDate: timestamp.nullable(),
    latestAddedAt: timestamp.nullable(),
    medianGapDays: z.number().min(0).nullable(),
    lastFetchedAt: timestamp.nullable(),
    lastPolledAt: timestamp.nullable(),
    changeDetectedAt: timestamp.nullable(),
    consecutiveNoChange: count,
    consecutiveErrors: count,
    nextFetchAfter: timestamp.nullable(),
    lastRetieredAt: timestamp.nullable(),
    stars: count.nullable(),
    starsFetchedAt: timestamp.nullable(),
  })
  .meta({ id: 'SourceRecord' });

export const sourceList = z.strictObject({ items: z.array(sourceRecord), pagination: pagePagination });
/** Without an envelope. */
export const bareSources = z.array(sourceRecord);

const rollingSummary = z.strictObject({
  year: z.null(),
  month: z.null(),
  windowDays: z.int().min(1).nullable(),
  summary: z.string(),
  releaseCount: count,
  generatedAt: timestamp,
});

const monthlySummary = z.strictObject({
  year: z.int(),
  month: z.int().min(1).max(12),
  summary: z.string(),
  releaseCount: count,
  generatedAt: timestamp,
});

/** A source with a page of its releases (contract 5.2). */
export const sourceReleases = z.strictObject({ releases: z.array(feedItem), pagination: cursorPagination });
export const recentReleases = sourceReleases.extend({ cutoff: timestamp });

export const sourceDetail = z
  .strictObject({
    id: sourceId,
    slug: z.string(),
    name: z.string(),
    type: z.enum(sourceTypes),
    url: z.string(),
    orgId: orgId.nullable(),
    productId: productId.nullable(),
    productSlug: z.string().nullable(),
    kind: z.enum(kinds).nullable(),
    isHidden: z.boolean(),
    discovery: z.enum(discoveries),
    isPrimary: z.boolean(),
    /** JSON text. */
    metadata: z.string(),
    packages: z.array(z.strictObject({ ecosystem: z.enum(packageEcosystems), name: z.string() })),
    changelogUrl: z.string().nullable(),
    hasChangelogFile: z.boolean(),
    org: z.strictObject({ id: orgId, slug: z.string(), name: z.string() }).nullable(),
    releaseCount: count,
    releasesLast30Days: count,
    avgReleasesPerWeek: z.number().min(0),
    latestVersion: z.string().nullable(),
    latestDate: timestamp.nullable(),
    trackingSince: timestamp,
    lastFetchedAt: timestamp.nullable(),
    lastPolledAt: timestamp.nullable(),
    changeDetectedAt: timestamp.nullable(),
    stars: count.nullable(),
    starsFetchedAt: timestamp.nullable(),
    releases: z.array(feedItem),
    pagination: cursorPagination,
    summaries: z.strictObject({ rolling: rollingSummary.nullable(), monthly: z.array(monthlySummary).max(24) }),
  })
  .meta({ id: 'SourceDetail' });

/** On the bare path, where pages have numbers too. */
export const bareSourceDetail = sourceDetail
  .extend({ pagination: z.union([numberedPagination, cursorPagination]) })
  .meta({ id: 'BareSourceDetail' });
