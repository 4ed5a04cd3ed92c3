import type { ReleaseType } from '../domain/enumerations.ts';
import type { AnnouncedRelease } from '../domain/release/events.ts';

/** A webhook about one org; a filter that is null lets everything pass. */
export interface OrgWebhook {
  readonly id: string;
  readonly orgId: string;
  readonly sourceId: string | null;
  readonly productId: string | null;
  readonly releaseType: ReleaseType | null;
  /** 1 to 5. */
  readonly minImportance: number | null;
  /** The verdicts that pass. */
  readonly breaking: readonly string[] | null;
  readonly enabled: boolean;
}

const isOrAny = <Value>(wanted: Value | null, value: Value | null): boolean => wanted === null || wanted === value;

/** A release that nobody rated is not known to be important enough. */
const isImportantEnough = (min: number | null, importance: number | null): boolean =>
  min === null || (importance !== null && importance >= min);

/** Looks at nothing but the values of the payload (contract 13.6). What happens while it is disabled is not sent later. */
export const matchesWebhook = (release: AnnouncedRelease, webhook: OrgWebhook): boolean =>
  webhook.enabled &&
  release.orgId === webhook.orgId &&
  isOrAny(webhook.sourceId, release.sourceId) &&
  isOrAny(webhook.productId, release.productId) &&
  isOrAny(webhook.releaseType, release.type) &&
  isImportantEnough(webhook.minImportance, release.importance) &&
  (webhook.breaking === null || webhook.breaking.includes(release.breaking));
