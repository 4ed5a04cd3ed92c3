import { z } from 'zod';
import { releaseId } from '../../kernel/ids.ts';
import { changesOf, textDigest } from './changes.ts';
import { count } from './count.ts';
import { cursorPagination } from './pagination.ts';
import { feedItemWithoutContent } from './release-item.ts';
import { timestamp } from './timestamp.ts';

const { shape } = feedItemWithoutContent;

/** What happened to a release (contract 6.3). */
export const releaseHistory = z.strictObject({
  items: z.array(
    z
      .strictObject({
        revision: z.int().min(1),
        position: count,
        at: timestamp,
        cause: z.enum(['ingest', 'edit', 'enrich', 'coverage', 'suppress', 'unsuppress']),
        changes: changesOf({
          title: shape.title,
          version: shape.version,
          url: shape.url,
          publishedAt: shape.publishedAt,
          type: shape.type,
          prerelease: shape.prerelease,
          summary: shape.summary,
          titleGenerated: shape.titleGenerated,
          titleShort: shape.titleShort,
          breaking: shape.breaking,
          importance: shape.importance,
          composition: shape.composition,
          media: shape.media,
          content: textDigest,
          migrationNotes: textDigest,
          coverageOf: releaseId,
          suppressed: z.boolean(),
          // For admins only.
          suppressedReason: z.string(),
        }),
      })
      .meta({ id: 'ReleaseHistoryItem' }),
  ),
  pagination: cursorPagination,
});
