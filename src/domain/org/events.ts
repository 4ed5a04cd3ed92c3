import type { DomainEvent } from '../../kernel/event.ts';
import type { Category, Discovery, LocationBasis, OrgStatus } from '../enumerations.ts';
import type { EntityNotice } from '../entity-notice.ts';
import type { OrgAccount } from './accounts.ts';

/** Where an org publishes, as stored; exactly one of the five locators is set. */
export interface StoredLocation {
  readonly id: string;
  readonly url?: string;
  readonly feed?: string;
  readonly github?: string;
  readonly appstore?: string;
  readonly file?: string;
  readonly title: string | null;
  readonly canonical: boolean;
  readonly basis: LocationBasis;
  readonly productId: string | null;
  readonly sourceId: string | null;
}

export interface OrgFields {
  readonly slug: string;
  readonly name: string;
  readonly domain: string | null;
  readonly description: string | null;
  readonly category: Category | null;
  readonly avatarUrl: string | null;
  readonly tags: readonly string[];
  /** Alias domains. */
  readonly aliases: readonly string[];
  readonly featured: boolean;
  readonly autoGenerateContent: boolean;
  readonly fetchPaused: boolean;
  readonly overviewCadenceDays: number | null;
  readonly discovery: Discovery;
  readonly locations: readonly StoredLocation[];
  readonly notice: EntityNotice | null;
}

export type OrgCreated = DomainEvent<'OrgCreated.v1', OrgFields & { status: OrgStatus; createdAt: string }>;
/** Holds the changed fields only, each with its whole new value. */
export type OrgChanged = DomainEvent<'OrgChanged.v1', { changed: Partial<OrgFields> }>;
export type OrgHidden = DomainEvent<'OrgHidden.v1', { hiddenAt: string }>;
export type OrgUnhidden = DomainEvent<'OrgUnhidden.v1', { unhiddenAt: string }>;
/** Its products and sources are deleted with it; they derive that. */
export type OrgDeleted = DomainEvent<'OrgDeleted.v1', { deletedAt: string }>;
export type OrgRestored = DomainEvent<'OrgRestored.v1', { restoredAt: string }>;
/**
 * It is gone for good with all that is below it, which follows. Comes first, then its text is truncated away; it holds none.
 */
export type OrgPurged = DomainEvent<'OrgPurged.v1', { purgedAt: string }>;
export type OrgAccountLinked = DomainEvent<'OrgAccountLinked.v1', OrgAccount & { linkedAt: string }>;
export type OrgAccountUnlinked = DomainEvent<'OrgAccountUnlinked.v1', OrgAccount & { unlinkedAt: string }>;
/** Somebody would like a stub to be tracked. */
export type OrgTrackingRequested = DomainEvent<'OrgTrackingRequested.v1', { requestedAt: string }>;
/** Its locations are being made sources, by the command of this event and nobody else for a while. */
export type OrgPromotionBegun = DomainEvent<'OrgPromotionBegun.v1', { begunAt: string }>;
export type OrgPromotionAbandoned = DomainEvent<'OrgPromotionAbandoned.v1', { abandonedAt: string }>;
/** It is tracked from now on. Names the source that was made of each location, by the location's id. */
export type OrgPromoted = DomainEvent<
  'OrgPromoted.v1',
  { promotedAt: string; sources: Readonly<Record<string, string>> }
>;
export type OrgDemoted = DomainEvent<'OrgDemoted.v1', { demotedAt: string }>;

export type OrgEvent =
  | OrgCreated
  | OrgChanged
  | OrgHidden
  | OrgUnhidden
  | OrgDeleted
  | OrgRestored
  | OrgPurged
  | OrgAccountLinked
  | OrgAccountUnlinked
  | OrgTrackingRequested
  | OrgPromotionBegun
  | OrgPromotionAbandoned
  | OrgPromoted
  | OrgDemoted;
