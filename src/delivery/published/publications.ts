import { z } from 'zod';
import type { StoredDomainEvent } from '../../domain/stored-event-types.ts';
import { namePublications } from './name.ts';
import { orgPublications } from './org.ts';
import { productPublications } from './product.ts';
import { type PublicationsOf, publish } from './publication.ts';
import { releasePublications } from './release.ts';
import { sourcePublications } from './source.ts';

/** Every stored event type: a new one does not compile until somebody decides what of it may leave. */
export const publications: PublicationsOf<StoredDomainEvent> = {
  'RegistryFounded.v1': publish({ registryId: z.uuid() }, ({ registryId }) => ({ registryId })),
  ...namePublications,
  ...orgPublications,
  ...productPublications,
  ...sourcePublications,
  ...releasePublications,
  'BodyPartStored.v1': null,
  'BodyErased.v1': null,
  'TokenIssued.v1': null,
  'TokenChanged.v1': null,
  'TokenRevoked.v1': null,
  'WebhookCreated.v1': null,
  'WebhookDisabled.v1': null,
  'WebhookDeleted.v1': null,
};
