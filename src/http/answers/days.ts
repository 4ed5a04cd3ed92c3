import { z } from 'zod';
import { count } from './count.ts';

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

export const orgHeatmap = heatmap.extend({ org: named });
export const sourceHeatmap = heatmap.extend({
  source: named.extend({ orgSlug: z.string().nullable(), orgName: z.string().nullable() }),
});
