import { z } from 'zod';
import { categories, discoveries, orgStatuses } from '../../domain/enumerations.ts';
import type { OrgEvent, OrgFields } from '../../domain/org/events.ts';
import { sourceId } from '../../kernel/ids.ts';
import { deleted, hidden, purged, restored, unhidden } from './lifecycle.ts';
import { type PublicationsOf, publish } from './publication.ts';
import { count, fieldNames, timestamp } from './values.ts';

const orgNames = fieldNames<OrgFields>({
  slug: true,
  name: true,
  domain: true,
  description: true,
  category: true,
  avatarUrl: true,
  tags: true,
  aliases: true,
  featured: true,
  autoGenerateContent: true,
  fetchPaused: true,
  overviewCadenceDays: true,
  discovery: true,
  locations: true,
  notice: true,
});

export const orgPublications: PublicationsOf<OrgEvent> = {
  'OrgCreated.v1': publish(
    {
      status: z.enum(orgStatuses),
      category: z.enum(categories).nullable(),
      discovery: z.enum(discoveries),
      featured: z.boolean(),
      autoGenerateContent: z.boolean(),
      fetchPaused: z.boolean(),
      overviewCadenceDays: count.nullable(),
      createdAt: timestamp,
    },
    (org) => ({
      status: org.status,
      category: org.category,
      discovery: org.discovery,
      featured: org.featured,
      autoGenerateContent: org.autoGenerateContent,
      fetchPaused: org.fetchPaused,
      overviewCadenceDays: org.overviewCadenceDays,
      createdAt: org.createdAt,
    }),
  ),
  'OrgChanged.v1': publish({ changedFields: orgNames.schema }, ({ changed }) => ({
    changedFields: orgNames.of(changed),
  })),
  'OrgHidden.v1': hidden,
  'OrgUnhidden.v1': unhidden,
  'OrgDeleted.v1': deleted,
  'OrgRestored.v1': restored,
  'OrgPurged.v1': purged,
  // Which platform and which handle is text that somebody wrote.
  'OrgAccountLinked.v1': publish({ linkedAt: timestamp }, ({ linkedAt }) => ({ linkedAt })),
  'OrgAccountUnlinked.v1': publish({ unlinkedAt: timestamp }, ({ unlinkedAt }) => ({ unlinkedAt })),
  'OrgTrackingRequested.v1': publish({ requestedAt: timestamp }, ({ requestedAt }) => ({ requestedAt })),
  'OrgPromotionBegun.v1': publish({ begunAt: timestamp }, ({ begunAt }) => ({ begunAt })),
  'OrgPromotionAbandoned.v1': publish({ abandonedAt: timestamp }, ({ abandonedAt }) => ({ abandonedAt })),
  'OrgPromoted.v1': publish({ promotedAt: timestamp, sourceIds: z.array(sourceId) }, ({ promotedAt, sources }) => ({
    promotedAt,
    sourceIds: Object.values(sources),
  })),
  'OrgDemoted.v1': publish({ demotedAt: timestamp }, ({ demotedAt }) => ({ demotedAt })),
};
