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
