import { z } from 'zod';
import { categories, discoveries, sourceTypes } from '../../domain/enumerations.ts';
import { releaseId } from '../../kernel/ids.ts';
import { count } from './count.ts';
import { appStore, feedItem, feedItemWithoutContent, orgCard, video } from './release-item.ts';

export const latestReleases = z.strictObject({ releases: z.array(feedItemWithoutContent) });

const detailFields = feedItem.extend({
  org: orgCard.extend({ discovery: z.enum(discoveries), isHidden: z.boolean() }).nullable(),
  sourceName: z.string(),
  sourceSlug: z.string(),
  sourceType: z.enum(sourceTypes),
  sourceIsHidden: z.boolean(),
  effectiveCategory: z.enum(categories).nullable(),
  contentHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
  migrationNotes: z.string().nullable(),
  revision: z.int().min(1),
  appStore: appStore.nullable(),
  video: video.nullable(),
  // For admins only.
  suppressed: z.boolean().optional(),
  suppressedReason: z.string().nullable().optional(),
});

/** Everything that is shown of one release (contract 6.2). */
export const releaseDetail = detailFields.meta({ id: 'ReleaseDetail' });

/** A release that was known already; of one that was erased nothing but its id is left. */
export const knownRelease = z
  .union([
    detailFields.extend({ result: z.enum(['inserted', 'revised', 'unchanged', 'withdrawn']) }),
    z.strictObject({ id: releaseId, result: z.literal('withdrawn') }),
  ])
  .meta({ id: 'KnownRelease' });

export const ingestResult = z
  .strictObject({
    total: count,
    inserted: count,
    revised: count,
    unchanged: count,
    withdrawn: count,
    insertedIds: z.array(releaseId),
    items: z.array(
      z.strictObject({
        index: count,
        id: releaseId,
        result: z.enum(['inserted', 'revised', 'unchanged', 'withdrawn']),
      }),
    ),
  })
  .meta({ id: 'IngestResult' });

export const erasedRelease = z.strictObject({ deleted: z.literal(true) });
