import type { BodyEvent, TextBegun } from './body/events.ts';
import type { ChangelogEvent } from './changelog/events.ts';
import type { CollectionEvent } from './collection/events.ts';
import type { NameEvent, OwnerFenceEvent } from './name/events.ts';
import type { OrgEvent } from './org/events.ts';
import type { OverviewEvent } from './overview/events.ts';
import type { PlaybookEvent } from './playbook/events.ts';
import type { ProductEvent } from './product/events.ts';
import type { PurgeCompleted } from './purge/events.ts';
import type { RegistryFounded } from './registry/events.ts';
import type { ReleaseEvent } from './release/events.ts';
import type { SiteNoticeReplaced } from './site-notice/events.ts';
import type { SourceEvent } from './source/events.ts';
import type { SummaryEvent } from './summary/events.ts';
import type { TagCreated } from './tag/events.ts';
import type { TokenEvent } from './token/events.ts';
import type { WebhookEvent } from './webhook/events.ts';

export type StoredDomainEvent =
  | RegistryFounded
  | NameEvent
  | OwnerFenceEvent
  | OrgEvent
  | OverviewEvent
  | PlaybookEvent
  | ProductEvent
  | SourceEvent
  | SummaryEvent
  | ChangelogEvent
  | PurgeCompleted
  | CollectionEvent
  | TagCreated
  | SiteNoticeReplaced
  | ReleaseEvent
  | TextBegun
  | BodyEvent
  | TokenEvent
  | WebhookEvent;
