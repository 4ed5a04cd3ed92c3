import type { DomainEvent } from '../../kernel/event.ts';
import type { ReleaseIdentity } from './identity.ts';
import type { StoredText } from '../body/body-ref.ts';
import type { Breaking, MediaType, ReleaseType, SourceType } from '../enumerations.ts';
import type { CoverageEvent } from './coverage/events.ts';
import type { SuppressionEvent } from './suppression.ts';

export interface Media {
  readonly type: MediaType;
  readonly url: string;
  readonly alt?: string;
  readonly r2Key?: string;
  readonly r2Url?: string;
  readonly linkUrl?: string;
}

export interface Composition {
  readonly bugs: number;
  readonly features: number;
  readonly enhancements: number;
}

/** What somebody said explicitly; a field nobody gave is absent. */
export interface ReleaseGiven {
  readonly title: string;
  readonly content: StoredText;
  readonly version?: string;
  readonly url?: string;
  readonly publishedAt?: string;
  readonly type?: ReleaseType;
  readonly prerelease?: boolean;
  readonly summary?: string;
  readonly titleGenerated?: string;
  readonly titleShort?: string;
  readonly breaking?: Breaking;
  readonly importance?: number;
  readonly migrationNotes?: string;
  readonly composition?: Composition;
  readonly media?: readonly Media[];
}

/** What follows from the given values (contract 6.4); a given value of the same name wins over it. */
export interface ReleaseDerived {
  readonly publishedAt: string | null;
  readonly type: ReleaseType;
  readonly prerelease: boolean;
  readonly breaking: Breaking;
  readonly migrationNotes: string | null;
  readonly importance: number | null;
  readonly composition: Composition | null;
  readonly summary: string;
  readonly contentChars: number | null;
  readonly contentTokens: number | null;
  readonly contentHash: string | null;
}

/** Changed given values; null takes a given value back, and the derived one returns. */
export type GivenChanges = { readonly [Field in keyof ReleaseGiven]?: ReleaseGiven[Field] | null };

/** `due`: the announcement waits for the release date. `none`: there will never be one. */
export type AnnouncementPlan = 'now' | 'due' | 'none';

export type ReleaseIndexed = DomainEvent<
  'ReleaseIndexed.v1',
  {
    sourceId: string;
    orgId: string | null;
    identity: ReleaseIdentity;
    given: ReleaseGiven;
    derived: ReleaseDerived;
    /** When first indexed; never changes. */
    fetchedAt: string;
    /** Its date lies ahead; ReleaseDated.v1 says when it has come. */
    pending: boolean;
    announcement: AnnouncementPlan;
  }
>;

export type ReleaseRevised = DomainEvent<
  'ReleaseRevised.v1',
  {
    sourceId: string;
    orgId: string | null;
    revision: number;
    given: GivenChanges;
    derived: ReleaseDerived;
    pending: boolean;
    /** The effective date before, so that a fold by date finds the old place without looking elsewhere. */
    previousPublishedAt: string | null;
  }
>;

/** The date of a release that was indexed ahead of it has come. */
export type ReleaseDated = DomainEvent<'ReleaseDated.v1', { sourceId: string; publishedAt: string | null }>;

/** What the world calls `release.created`. The payload is fixed here, with the public address of that moment. */
export type ReleaseAnnounced = DomainEvent<
  'ReleaseAnnounced.v1',
  { eventId: string; tsMs: number; release: AnnouncedRelease }
>;

export type AnnouncementWaived = DomainEvent<'AnnouncementWaived.v1', { reason: 'not_visible' }>;

/** A fetch told just what somebody had edited in these fields: from here on their source is believed again. */
export type EditsConfirmed = DomainEvent<'EditsConfirmed.v1', { fields: readonly (keyof ReleaseGiven)[] }>;

/** Comes first, then the text is truncated away; it names all that must go and holds no text itself. */
export type ReleaseErased = DomainEvent<
  'ReleaseErased.v1',
  {
    sourceId: string;
    orgId: string | null;
    /** The kind only: the value may be the title itself, and the release id already stands for it. */
    identityKind: ReleaseIdentity['kind'];
    /** Every effective date that it ever had: a fold by date may have seen only some of its events before they went. */
    publishedDates: readonly (string | null)[];
    bodyStreams: readonly string[];
  }
>;

export type ReleaseEvent =
  | ReleaseIndexed
  | ReleaseRevised
  | ReleaseDated
  | ReleaseAnnounced
  | AnnouncementWaived
  | EditsConfirmed
  | SuppressionEvent
  | CoverageEvent
  | ReleaseErased;

/** The release as webhooks show it (contract 13.5). */
export interface AnnouncedRelease {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly sourceId: string;
  readonly sourceName: string;
  readonly sourceSlug: string;
  readonly sourceType: SourceType;
  readonly webUrl: string;
  readonly fetchedAt: string;
  readonly version: string | null;
  readonly titleGenerated: string | null;
  readonly titleShort: string | null;
  readonly publishedAt: string | null;
  readonly url: string | null;
  readonly orgId: string | null;
  readonly productId: string | null;
  readonly type: ReleaseType;
  readonly breaking: Breaking;
  readonly prerelease: boolean;
  readonly importance: number | null;
  readonly contentChars: number | null;
  readonly contentTokens: number | null;
  readonly org: {
    readonly id: string;
    readonly slug: string;
    readonly name: string;
    readonly avatarUrl: string | null;
    readonly githubHandle: string | null;
  } | null;
  readonly product: { readonly id: string; readonly slug: string; readonly name: string } | null;
  readonly media: readonly Media[];
}
