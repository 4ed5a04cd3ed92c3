import { z } from 'zod';
import type { StoredDomainEvent } from '../../domain/stored-event-types.ts';
import { sourceId } from '../../kernel/ids.ts';
import { collectionPublications } from './collection.ts';
import { namePublications } from './name.ts';
import { orgPublications } from './org.ts';
import { productPublications } from './product.ts';
import { type PublicationsOf, publish } from './publication.ts';
import { releasePublications } from './release.ts';
import { siteNoticeReplaced } from './site-notice.ts';
import { sourcePublications } from './source.ts';
import { summaryWritten } from './summary.ts';
import { count, timestamp } from './values.ts';

/** Every stored event type: a new one does not compile until somebody decides what of it may leave. */
export const publications: PublicationsOf<StoredDomainEvent> = {
  'RegistryFounded.v1': publish({ registryId: z.uuid() }, ({ registryId }) => ({ registryId })),
  ...namePublications,
  ...orgPublications,
  'OverviewWritten.v1': publish(
    {
      releaseCount: count,
      lastContributingReleaseAt: timestamp.nullable(),
      generatedAt: timestamp,
      updatedAt: timestamp,
    },
    ({ releaseCount, lastContributingReleaseAt, generatedAt, updatedAt }) => ({
      releaseCount,
      lastContributingReleaseAt,
      generatedAt,
      updatedAt,
    }),
  ),
  'OverviewRemoved.v1': publish({ removedAt: timestamp }, ({ removedAt }) => ({ removedAt })),
  'PlaybookWritten.v1': null,
  'PlaybookRemoved.v1': null,
  ...productPublications,
  ...sourcePublications,
  'SummaryWritten.v1': summaryWritten,
  'SummaryRemoved.v1': publish({ sourceId, removedAt: timestamp }, (facts) => facts),
  // Which path and which addresses is text that somebody wrote.
  'ChangelogFileStored.v1': publish(
    { bytes: count, chars: count, tokens: count, truncated: z.boolean(), fetchedAt: timestamp },
    ({ bytes, chars, tokens, truncated, fetchedAt }) => ({ bytes, chars, tokens, truncated, fetchedAt }),
  ),
  'ChangelogTextAbandoned.v1': null,
  'ChangelogRemoved.v1': publish({ removedAt: timestamp }, ({ removedAt }) => ({ removedAt })),
  'PurgeCompleted.v1': publish({ completedAt: timestamp }, ({ completedAt }) => ({ completedAt })),
  ...collectionPublications,
  'TagCreated.v1': publish({ createdAt: timestamp }, ({ createdAt }) => ({ createdAt })),
  'SiteNoticeReplaced.v1': siteNoticeReplaced,
  ...releasePublications,
  'TextBegun.v1': null,
  'BodyPartStored.v1': null,
  'BodyErased.v1': null,
  'TokenIssued.v1': null,
  'TokenChanged.v1': null,
  'TokenRevoked.v1': null,
  'WebhookCreated.v1': null,
  'WebhookDisabled.v1': null,
  'WebhookDeleted.v1': null,
};
