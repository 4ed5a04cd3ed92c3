import { z } from 'zod';
import { breakingVerdicts, ecosystems } from '../../domain/enumerations.ts';
import { releaseId, sourceId } from '../../kernel/ids.ts';
import { count } from './count.ts';
import { timestamp } from './timestamp.ts';

const entry = z.strictObject({
  id: releaseId,
  version: z.string().nullable(),
  publishedAt: timestamp.nullable(),
  title: z.string(),
  summary: z.string(),
  breaking: z.enum(breakingVerdicts),
  migrationNotes: z.string().nullable(),
  importance: z.int().min(1).max(5).nullable(),
  prerelease: z.boolean(),
  url: z.string().nullable(),
  webUrl: z.string(),
});

/** What changed between two versions of a package (contract 9.1). */
export const whatsChanged = z
  .strictObject({
    status: z.enum(['resolved', 'unknown']),
    package: z.string(),
    from: z.string(),
    to: z.string(),
    ecosystem: z.enum(ecosystems).nullable(),
    source: z.strictObject({ sourceId, sourceSlug: z.string(), orgSlug: z.string().nullable() }).nullable(),
    count,
    entries: z.array(entry).max(312),
    truncated: z.boolean(),
    /** Only where some were left out. */
    truncatedAtTokens: count.optional(),
    /** The strongest of the entries. */
    breaking: z.enum(breakingVerdicts),
    rangeBasis: z.enum(['version', 'date', 'none']),
    resolvedVia: z.enum(['id', 'package', 'slug', 'coordinate']).nullable(),
    /** Only of what is unknown. */
    reason: z.enum(['untracked', 'ecosystem_required']).optional(),
  })
  .meta({ id: 'WhatsChanged' });
