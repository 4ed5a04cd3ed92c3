import type { DomainEvent } from '../../kernel/event.ts';
import type { Breaking, ReleaseType, WebhookFormat } from '../enumerations.ts';

/** A webhook that an admin made. Its signing key is in no event. */
export type WebhookCreated = DomainEvent<
  'WebhookCreated.v1',
  {
    url: string;
    description: string | null;
    format: WebhookFormat;
    orgId: string;
    sourceId: string | null;
    productId: string | null;
    releaseType: ReleaseType | null;
    minImportance: number | null;
    /** The verdicts that pass; null lets every one pass. */
    breaking: readonly Breaking[] | null;
    enabled: boolean;
    createdAt: string;
  }
>;

/** By itself, because the receiver said that it is gone. */
export type WebhookDisabled = DomainEvent<'WebhookDisabled.v1', { reason: 'gone'; disabledAt: string }>;

export type WebhookDeleted = DomainEvent<'WebhookDeleted.v1', { deletedAt: string }>;

export type WebhookEvent = WebhookCreated | WebhookDisabled | WebhookDeleted;
