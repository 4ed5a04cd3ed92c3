import type { DomainEvent } from '../../kernel/event.ts';

/** Taken down: nobody but admins sees the release until it is brought back. */
export type ReleaseSuppressed = DomainEvent<
  'ReleaseSuppressed.v1',
  {
    sourceId: string;
    /** The effective date at that moment, so that a fold by date finds the release without looking elsewhere. */
    publishedAt: string | null;
    reason: string | null;
    suppressedAt: string;
  }
>;

export type ReleaseUnsuppressed = DomainEvent<
  'ReleaseUnsuppressed.v1',
  { sourceId: string; publishedAt: string | null; reason: string | null; unsuppressedAt: string }
>;

export type SuppressionEvent = ReleaseSuppressed | ReleaseUnsuppressed;

export interface Suppression {
  readonly reason: string | null;
}
