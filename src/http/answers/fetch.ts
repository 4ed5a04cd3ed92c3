import { z } from 'zod';
import { fetchStatuses } from '../../ingest/fetch-delay.ts';
import { sourceId } from '../../kernel/ids.ts';
import { count } from './count.ts';
import { cursorPagination } from './pagination.ts';
import { timestamp } from './timestamp.ts';

const fetchId = z.string().regex(/^fet_[A-Za-z0-9]{21}$/);

/** One fetch of a source, or one batch that somebody sent (contract 15.4). */
const fetchLogEntry = z
  .strictObject({
    id: fetchId,
    sourceId,
    sourceName: z.string(),
    sourceSlug: z.string(),
    orgName: z.string().nullable(),
    releasesFound: count,
    releasesInserted: count,
    totalReleases: count,
    status: z.enum(fetchStatuses),
    durationMs: count.nullable(),
    error: z.string().max(500).nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'FetchLogEntry' });

export const fetchLogPage = z.strictObject({ items: z.array(fetchLogEntry), pagination: cursorPagination });

export const fetchLogList = z.array(fetchLogEntry);

export const enqueuedFetch = z
  .strictObject({ enqueued: z.literal(true), jobId: fetchId, sourceId })
  .meta({ id: 'EnqueuedFetch' });
