import type { DomainEvent } from '../../kernel/event.ts';
import type { SummaryType } from '../enumerations.ts';

/** What a summary is about: the last days of a source, or one of its months. Its id follows from this alone. */
export interface SummarySubject {
  readonly sourceId: string;
  readonly type: SummaryType;
  /** Of a month only. */
  readonly year: number | null;
  readonly month: number | null;
  /** Of a rolling summary only; null when nobody said how many days. */
  readonly windowDays: number | null;
}

export interface SummaryText {
  readonly summary: string;
  readonly releaseCount: number;
}

/** Its source was purged: the text is truncated away behind this. */
export type SummaryRemoved = DomainEvent<
  'SummaryRemoved.v1',
  { readonly sourceId: string; readonly removedAt: string }
>;

/** The stream is named by the summary's own id, so that each stays as small as one summary is. */
export type SummaryWritten = DomainEvent<
  'SummaryWritten.v1',
  SummarySubject & SummaryText & { readonly generatedAt: string }
>;

export type SummaryEvent = SummaryWritten | SummaryRemoved;
