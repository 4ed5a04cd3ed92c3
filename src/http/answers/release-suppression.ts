import { z } from 'zod';
import { releaseId } from '../../kernel/ids.ts';
import { count } from './count.ts';

export const suppression = z.strictObject({
  id: releaseId,
  suppressed: z.boolean(),
  suppressedReason: z.string().nullable(),
});

export const suppressedReleases = z.strictObject({
  /** All that are down now, also those that were before. */
  suppressed: count,
  notFound: z.array(releaseId),
});
