import { z } from 'zod';
import { discoveries, fetchPriorities, kinds, sourceTypes } from '../../domain/enumerations.ts';
import type { SourceEvent, SourceFields } from '../../domain/source/events.ts';
import { orgId, productId } from '../../kernel/ids.ts';
import { deleted, hidden, restored, unhidden } from './lifecycle.ts';
import { type PublicationsOf, publish } from './publication.ts';
import { fieldNames, timestamp } from './values.ts';

const sourceNames = fieldNames<SourceFields>({
  slug: true,
  name: true,
  type: true,
  url: true,
  productId: true,
  kind: true,
  isPrimary: true,
  discovery: true,
  fetchPriority: true,
  metadata: true,
  packages: true,
});

export const sourcePublications: PublicationsOf<SourceEvent> = {
  'SourceCreated.v1': publish(
    {
      orgId: orgId.nullable(),
      productId: productId.nullable(),
      type: z.enum(sourceTypes),
      kind: z.enum(kinds).nullable(),
      isPrimary: z.boolean(),
      discovery: z.enum(discoveries),
      fetchPriority: z.enum(fetchPriorities),
      createdAt: timestamp,
    },
    (source) => ({
      orgId: source.orgId,
      productId: source.productId,
      type: source.type,
      kind: source.kind,
      isPrimary: source.isPrimary,
      discovery: source.discovery,
      fetchPriority: source.fetchPriority,
      createdAt: source.createdAt,
    }),
  ),
  'SourceChanged.v1': publish({ changedFields: sourceNames.schema }, ({ changed }) => ({
    changedFields: sourceNames.of(changed),
  })),
  'SourceHidden.v1': hidden,
  'SourceUnhidden.v1': unhidden,
  'SourceDeleted.v1': deleted,
  'SourceRestored.v1': restored,
  'SourcePurged.v1': publish({ orgId: orgId.nullable(), purgedAt: timestamp }, ({ orgId, purgedAt }) => ({
    orgId,
    purgedAt,
  })),
};
