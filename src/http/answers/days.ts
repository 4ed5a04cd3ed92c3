import { z } from 'zod';
import { count } from './count.ts';
import { timestamp } from './timestamp.ts';

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const range = z.strictObject({ from: day, to: day });
const named = z.strictObject({ slug: z.string(), name: z.string() });
const sparkline = z.array(count).length(30);

export const orgSparklines = z.strictObject({
  org: named,
  range,
  aggregate: sparkline,
  sources: z.array(named.extend({ sparkline })),
  products: z.array(named.extend({ sparkline })),
});

const heatmap = z.strictObject({
  range,
  dailyCounts: z.array(z.strictObject({ date: day, count: z.int().min(1) })),
  total: count,
});

const sourceHead = named.extend({ orgSlug: z.string().nullable(), orgName: z.string().nullable() });

export const orgHeatmap = heatmap.extend({ org: named });
export const sourceHeatmap = heatmap.extend({ source: sourceHead });

const week = z.strictObject({ weekStart: day, count: z.int().min(1) });
const versions = { earliestVersion: z.string().nullable(), latestVersion: z.string().nullable() };
const counted = { releaseCount: count, avgReleasesPerWeek: z.number().min(0) };
const weeklyBuckets = z.array(week.extend(versions));

export const orgActivity = z
  .strictObject({
    org: named,
    range,
    sources: z.array(named.extend({ ...counted, ...versions, latestDate: timestamp.nullable(), weeklyBuckets })),
    aggregateWeekly: z.array(week),
  })
  .meta({ id: 'OrgActivity' });

export const sourceActivity = z
  .strictObject({ source: sourceHead, range, ...counted, weeklyBuckets })
  .meta({ id: 'SourceActivity' });
