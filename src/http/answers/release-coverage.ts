import { z } from 'zod';
import { releaseId } from '../../kernel/ids.ts';
import { count } from './count.ts';
import { orgCard } from './release-item.ts';
import { timestamp } from './timestamp.ts';

const coverageLink = z
  .strictObject({
    coverageId: releaseId,
    canonicalId: releaseId,
    reason: z.string().nullable(),
    decidedBy: z.string(),
    decidedAt: timestamp,
    sibling: z.strictObject({
      id: releaseId,
      version: z.string().nullable(),
      title: z.string(),
      sourceName: z.string(),
      publishedAt: timestamp.nullable(),
      org: orgCard.nullable(),
      thumbnail: z.string().nullable(),
    }),
  })
  .meta({ id: 'CoverageLink' });

export const releaseCoverage = z
  .strictObject({
    role: z.enum(['standalone', 'canonical', 'coverage']),
    canonical: coverageLink.nullable(),
    covers: z.array(coverageLink),
  })
  .meta({ id: 'ReleaseCoverage' });

export const coverageLinked = z.strictObject({
  canonicalId: releaseId,
  coverageIds: z.array(releaseId),
  /** How many links this call has made; one that was there already is none of them. */
  linked: count,
});

export const coverageUnlinked = z.strictObject({ unlinked: count });
