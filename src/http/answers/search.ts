import { z } from 'zod';
import { sourceTypes } from '../../domain/enumerations.ts';
import { sourceId } from '../../kernel/ids.ts';
import { count } from './count.ts';
import { entitySections, lookupHint } from './search-entities.ts';
import { feedItemWithoutContent } from './release-item.ts';

const score = z.number().min(0);

/** A release that was found (contract 7.1); by words alone, without a score. */
const releaseHit = feedItemWithoutContent
  .extend({
    sourceSlug: z.string(),
    sourceName: z.string(),
    sourceType: z.enum(sourceTypes),
    orgSlug: z.string().nullable(),
    orgName: z.string().nullable(),
    productSlug: z.string().nullable(),
    score: score.optional(),
  })
  .meta({ id: 'ReleaseHit' });

/** A piece of a changelog file, to be read on from its offset. */
const chunkHit = z
  .strictObject({
    sourceSlug: z.string(),
    sourceId,
    sourceName: z.string(),
    orgSlug: z.string().nullable(),
    orgName: z.string().nullable(),
    filePath: z.string(),
    offset: count,
    length: count,
    heading: z.string().nullable(),
    snippet: z.string(),
    score,
  })
  .meta({ id: 'ChunkHit' });

/** Of an answer by meaning; by words alone there is none of it. */
const modeFields = {
  mode: z.enum(['semantic', 'hybrid']).optional(),
  degraded: z.boolean().optional(),
  degradedReason: z.enum(['not_configured', 'embedding_unavailable', 'vector_index_unavailable']).optional(),
};

const meta = z.strictObject({
  search: z.strictObject({ limit: count, offset: count, hitCap: z.boolean() }),
});

export const searchResult = z
  .strictObject({
    query: z.string(),
    ...entitySections,
    releases: z.array(releaseHit),
    chunks: z.array(chunkHit).optional(),
    ...modeFields,
    lookup: lookupHint.optional(),
    _meta: meta,
  })
  .meta({ id: 'SearchResult' });

export const releaseSearchResult = z
  .strictObject({ query: z.string(), releases: z.array(releaseHit), ...modeFields, _meta: meta })
  .meta({ id: 'ReleaseSearchResult' });
