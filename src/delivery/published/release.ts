import { z } from 'zod';
import { breakingVerdicts, releaseTypes, sourceTypes } from '../../domain/enumerations.ts';
import { effectiveRelease } from '../../domain/release/effective.ts';
import type { ReleaseEvent, ReleaseGiven } from '../../domain/release/events.ts';
import { eventId, orgId, productId, sourceId } from '../../kernel/ids.ts';
import { type PublicationsOf, publish } from './publication.ts';
import { releaseDecisionPublications } from './release-decisions.ts';
import { count, fieldNames, timestamp } from './values.ts';

const releaseNames = fieldNames<ReleaseGiven>({
  title: true,
  content: true,
  version: true,
  url: true,
  publishedAt: true,
  type: true,
  prerelease: true,
  summary: true,
  titleGenerated: true,
  titleShort: true,
  breaking: true,
  importance: true,
  migrationNotes: true,
  composition: true,
  media: true,
});

// The kind only: the value may be the title itself.
const identityKind = z.enum(['url', 'version', 'title']);

const releaseShape = {
  publishedAt: timestamp.nullable(),
  fetchedAt: timestamp,
  type: z.enum(releaseTypes),
  prerelease: z.boolean(),
  breaking: z.enum(breakingVerdicts),
  importance: z.int().min(1).max(5).nullable(),
  contentChars: count.nullable(),
  contentTokens: count.nullable(),
};

export const releasePublications: PublicationsOf<ReleaseEvent> = {
  ...releaseDecisionPublications,
  'ReleaseIndexed.v1': publish(
    {
      sourceId,
      orgId: orgId.nullable(),
      identityKind,
      givenFields: releaseNames.schema,
      ...releaseShape,
      pending: z.boolean(),
      announcement: z.enum(['now', 'due', 'none']),
    },
    ({ sourceId, orgId, identity, given, derived, fetchedAt, pending, announcement }) => {
      const values = effectiveRelease(given, derived);
      return {
        sourceId,
        orgId,
        identityKind: identity.kind,
        givenFields: releaseNames.of(given),
        publishedAt: values.publishedAt,
        fetchedAt,
        type: values.type,
        prerelease: values.prerelease,
        breaking: values.breaking,
        importance: values.importance,
        contentChars: values.contentChars,
        contentTokens: values.contentTokens,
        pending,
        announcement,
      };
    },
  ),
  'ReleaseRevised.v1': publish(
    {
      sourceId,
      orgId: orgId.nullable(),
      revision: count,
      changedFields: releaseNames.schema,
      contentChars: count.nullable(),
      contentTokens: count.nullable(),
      pending: z.boolean(),
      previousPublishedAt: timestamp.nullable(),
    },
    (revised) => ({
      sourceId: revised.sourceId,
      orgId: revised.orgId,
      revision: revised.revision,
      changedFields: releaseNames.of(revised.given),
      contentChars: revised.derived.contentChars,
      contentTokens: revised.derived.contentTokens,
      pending: revised.pending,
      previousPublishedAt: revised.previousPublishedAt,
    }),
  ),
  'ReleaseDated.v1': publish({ sourceId, publishedAt: timestamp.nullable() }, ({ sourceId, publishedAt }) => ({
    sourceId,
    publishedAt,
  })),
  'ReleaseAnnounced.v1': publish(
    {
      eventId,
      tsMs: count,
      sourceId,
      sourceType: z.enum(sourceTypes),
      orgId: orgId.nullable(),
      productId: productId.nullable(),
      ...releaseShape,
    },
    ({ eventId, tsMs, release }) => ({
      eventId,
      tsMs,
      sourceId: release.sourceId,
      sourceType: release.sourceType,
      orgId: release.orgId,
      productId: release.productId,
      publishedAt: release.publishedAt,
      fetchedAt: release.fetchedAt,
      type: release.type,
      prerelease: release.prerelease,
      breaking: release.breaking,
      importance: release.importance,
      contentChars: release.contentChars,
      contentTokens: release.contentTokens,
    }),
  ),
  'AnnouncementWaived.v1': publish({ reason: z.enum(['not_visible']) }, ({ reason }) => ({ reason })),
  'EditsConfirmed.v1': publish({ fields: releaseNames.schema }, ({ fields }) => ({ fields: [...fields] })),
  // Names of body streams hold the hash of a text that is to be gone.
  'ReleaseErased.v1': publish(
    { sourceId, orgId: orgId.nullable(), identityKind, publishedDates: z.array(timestamp.nullable()) },
    ({ sourceId, orgId, identityKind, publishedDates }) => ({
      sourceId,
      orgId,
      identityKind,
      publishedDates: [...publishedDates],
    }),
  ),
};
