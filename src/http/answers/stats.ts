import { z } from 'zod';
import { sourceTypes } from '../../domain/enumerations.ts';
import { count } from './count.ts';
import { timestamp } from './timestamp.ts';

const activity = z.strictObject({
  sourceName: z.string(),
  sourceSlug: z.string(),
  sourceType: z.enum(sourceTypes),
  orgName: z.string().nullable(),
  lastFetchedAt: timestamp.nullable(),
  totalReleases: count,
  recentReleases: count,
});

const fetched = z.strictObject({
  sourceName: z.string(),
  sourceSlug: z.string(),
  orgName: z.string().nullable(),
  releasesFound: count,
  releasesInserted: count,
  totalReleases: count,
  status: z.enum(['success', 'no_change', 'error', 'blocked', 'timeout', 'skipped', 'dry_run']),
  durationMs: count.nullable(),
  error: z.string().max(500).nullable(),
  createdAt: timestamp,
});

export const stats = z
  .strictObject({
    orgs: count,
    sources: count,
    releases: count,
    products: count,
    period: z.strictObject({ days: z.int().min(1), cutoff: timestamp }),
    totals: z.strictObject({ organizations: count, sources: count, releases: count, releasesInPeriod: count }),
    sourceHealth: z.strictObject({ upToDate: count, stale: count, neverFetched: count }),
    sourceActivity: z.array(activity).max(500),
    recentActivity: z.array(fetched).max(20),
  })
  .meta({ id: 'Stats' });
