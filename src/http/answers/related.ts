import { z } from 'zod';
import { sourceTypes } from '../../domain/enumerations.ts';
import { sourceId } from '../../kernel/ids.ts';
import { count } from './count.ts';
import { feedItemWithoutContent } from './release-item.ts';
import { timestamp } from './timestamp.ts';

/** The cosine of the two entries that are nearest to each other. */
const score = z.number();

const relatedRelease = feedItemWithoutContent
  .extend({
    thumbnail: z.strictObject({ url: z.string(), alt: z.string().optional() }).nullable(),
    score,
  })
  .meta({ id: 'RelatedRelease' });

const relatedSource = z
  .strictObject({
    id: sourceId,
    slug: z.string(),
    name: z.string(),
    type: z.enum(sourceTypes),
    url: z.string(),
    orgSlug: z.string().nullable(),
    orgName: z.string().nullable(),
    orgAvatarUrl: z.string().nullable(),
    releaseCount: count,
    latestDate: timestamp.nullable(),
    latestTitle: z.string().nullable(),
    latestVersion: z.string().nullable(),
    recentCount: count,
    score,
  })
  .meta({ id: 'RelatedSource' });

const relatedFields = {
  scope: z.enum(['org', 'global']),
  degraded: z.boolean(),
  degradedReason: z
    .enum(['not_configured', 'embedding_unavailable', 'vector_index_unavailable', 'anchor_not_embedded'])
    .optional(),
};

export const relatedReleases = z
  .strictObject({ ...relatedFields, items: z.array(relatedRelease) })
  .meta({ id: 'RelatedReleases' });

export const relatedSources = z
  .strictObject({ ...relatedFields, items: z.array(relatedSource) })
  .meta({ id: 'RelatedSources' });
