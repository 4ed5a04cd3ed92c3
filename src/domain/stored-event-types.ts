import type { BodyEvent } from './body/events.ts';
import type { NameEvent, OwnerFenceEvent } from './name/events.ts';
import type { OrgEvent } from './org/events.ts';
import type { ProductEvent } from './product/events.ts';
import type { RegistryFounded } from './registry/events.ts';
import type { ReleaseEvent } from './release/events.ts';
import type { SourceEvent } from './source/events.ts';
import type { TokenEvent } from './token/events.ts';
import type { WebhookEvent } from './webhook/events.ts';

export type StoredDomainEvent =
  | RegistryFounded
  | NameEvent
  | OwnerFenceEvent
  | OrgEvent
  | ProductEvent
  | SourceEvent
  | ReleaseEvent
  | BodyEvent
  | TokenEvent
  | WebhookEvent;

// A record, so that leaving out an event of the union does not compile.
const everyType: Readonly<Record<StoredDomainEvent['type'], true>> = {
  'RegistryFounded.v1': true,
  'NameClaimed.v1': true,
  'NameReleased.v1': true,
  'Abandoned.v1': true,
  'ClaimForfeited.v1': true,
  'OrgCreated.v1': true,
  'OrgChanged.v1': true,
  'OrgHidden.v1': true,
  'OrgUnhidden.v1': true,
  'OrgDeleted.v1': true,
  'OrgRestored.v1': true,
  'ProductCreated.v1': true,
  'ProductChanged.v1': true,
  'ProductHidden.v1': true,
  'ProductUnhidden.v1': true,
  'ProductDeleted.v1': true,
  'ProductRestored.v1': true,
  'SourceCreated.v1': true,
  'SourceChanged.v1': true,
  'SourceHidden.v1': true,
  'SourceUnhidden.v1': true,
  'SourceDeleted.v1': true,
  'SourceRestored.v1': true,
  'ReleaseIndexed.v1': true,
  'ReleaseRevised.v1': true,
  'ReleaseDated.v1': true,
  'ReleaseAnnounced.v1': true,
  'AnnouncementWaived.v1': true,
  'ReleaseErased.v1': true,
  'BodyPartStored.v1': true,
  'BodyErased.v1': true,
  'TokenIssued.v1': true,
  'TokenChanged.v1': true,
  'TokenRevoked.v1': true,
  'WebhookCreated.v1': true,
  'WebhookDisabled.v1': true,
  'WebhookDeleted.v1': true,
};

/** Every event type that is or was ever stored; each has a fixture that every projection folds. */
export const storedEventTypes = Object.keys(everyType) as StoredDomainEvent['type'][];
