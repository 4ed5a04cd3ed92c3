import { z } from 'zod';
import {
  appStorePlatforms,
  breakingVerdicts,
  kinds,
  mediaTypes,
  releaseTypes,
  sourceTypes,
  videoProviders,
} from '../../domain/enumerations.ts';
import { orgId, productId, releaseId, sourceId } from '../../kernel/ids.ts';
import { count } from './count.ts';
import { timestamp } from './timestamp.ts';

const media = z.strictObject({
  type: z.enum(mediaTypes),
  url: z.string(),
  alt: z.string().optional(),
  r2Key: z.string().optional(),
  r2Url: z.string().optional(),
  linkUrl: z.string().optional(),
});

export const appStore = z.strictObject({ platform: z.enum(appStorePlatforms), iconUrl: z.string().nullable() });
export const video = z.strictObject({ provider: z.enum(videoProviders) });

const sourceCard = z
  .strictObject({
    id: sourceId,
    slug: z.string(),
    name: z.string(),
    type: z.enum(sourceTypes),
    kind: z.enum(kinds).nullable(),
    orgSlug: z.string().nullable(),
    orgName: z.string().nullable(),
    appStore: appStore.optional(),
    video: video.optional(),
  })
  .meta({ id: 'SourceCard' });

export const orgCard = z
  .strictObject({
    id: orgId,
    slug: z.string(),
    name: z.string(),
    avatarUrl: z.string().nullable(),
    githubHandle: z.string().nullable(),
  })
  .meta({ id: 'OrgCard' });

const productCard = z
  .strictObject({
    id: productId,
    slug: z.string(),
    name: z.string(),
    kind: z.enum(kinds).nullable(),
  })
  .meta({ id: 'ProductCard' });

/** A release in the lists that leave its text out (contract 2.13). */
export const feedItemWithoutContent = z
  .strictObject({
    id: releaseId,
    version: z.string().nullable(),
    title: z.string(),
    summary: z.string(),
    description: z.string(),
    publishedAt: timestamp.nullable(),
    fetchedAt: timestamp,
    url: z.string().nullable(),
    webUrl: z.string(),
    media: z.array(media),
    type: z.enum(releaseTypes),
    prerelease: z.boolean(),
    titleGenerated: z.string().nullable(),
    titleShort: z.string().nullable(),
    breaking: z.enum(breakingVerdicts),
    importance: z.int().min(1).max(5).nullable(),
    composition: z.strictObject({ bugs: count, features: count, enhancements: count }).nullable(),
    contentChars: count.nullable(),
    contentTokens: count.nullable(),
    coverageCount: count,
    coverageOf: releaseId.nullable(),
    orgId: orgId.nullable(),
    productId: productId.nullable(),
    sourceId,
    source: sourceCard,
    org: orgCard.nullable(),
    product: productCard.nullable(),
    groupSlug: z.string(),
    groupName: z.string(),
  })
  .meta({ id: 'ReleaseItemWithoutContent' });

/** A release in every other list. */
export const feedItem = feedItemWithoutContent.extend({ content: z.string() }).meta({ id: 'ReleaseItem' });
