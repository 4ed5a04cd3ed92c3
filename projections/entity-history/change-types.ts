import type { OrgEvent } from '../../src/domain/org/events.ts';
import type { OverviewWritten } from '../../src/domain/overview/events.ts';
import type { PlaybookEvent } from '../../src/domain/playbook/events.ts';
import type { ProductEvent } from '../../src/domain/product/events.ts';
import type { SourceEvent } from '../../src/domain/source/events.ts';

/** What happens to an org, a product or a source. */
export type EntityEvent = OrgEvent | ProductEvent | SourceEvent;

type Purged = 'OrgPurged.v1' | 'ProductPurged.v1' | 'SourcePurged.v1';
/** Steps on the way to a promotion, which change nothing that is shown. */
type Untold = 'OrgPromotionBegun.v1' | 'OrgPromotionAbandoned.v1';
type Told = Exclude<(EntityEvent | OverviewWritten | PlaybookEvent)['type'], Purged | Untold>;

/** What readers call the events that change an entity; a purge leaves nobody to tell of. */
export const changeTypes = {
  'OrgCreated.v1': 'org.created',
  'OrgChanged.v1': 'org.changed',
  'OrgHidden.v1': 'org.hidden',
  'OrgUnhidden.v1': 'org.unhidden',
  'OrgDeleted.v1': 'org.deleted',
  'OrgRestored.v1': 'org.restored',
  'OrgAccountLinked.v1': 'org.account_linked',
  'OrgAccountUnlinked.v1': 'org.account_unlinked',
  'OrgTrackingRequested.v1': 'org.tracking_requested',
  'OrgPromoted.v1': 'org.promoted',
  'OrgDemoted.v1': 'org.demoted',
  'ProductCreated.v1': 'product.created',
  'ProductChanged.v1': 'product.changed',
  'ProductHidden.v1': 'product.hidden',
  'ProductUnhidden.v1': 'product.unhidden',
  'ProductDeleted.v1': 'product.deleted',
  'ProductRestored.v1': 'product.restored',
  'SourceCreated.v1': 'source.created',
  'SourceChanged.v1': 'source.changed',
  'SourceHidden.v1': 'source.hidden',
  'SourceUnhidden.v1': 'source.unhidden',
  'SourceDeleted.v1': 'source.deleted',
  'SourceRestored.v1': 'source.restored',
  'OverviewWritten.v1': 'overview.written',
  'PlaybookWritten.v1': 'playbook.written',
  'PlaybookRemoved.v1': 'playbook.removed',
} as const satisfies Record<Told, string>;

export type ChangeType = (typeof changeTypes)[keyof typeof changeTypes];
