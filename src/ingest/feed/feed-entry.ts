import type { MediaType } from '../../domain/enumerations.ts';

/** A text of a feed as it was written. */
export interface FeedText {
  readonly value: string;
  /** `unsure`: nobody says whether it is text or HTML. */
  readonly form: 'text' | 'html' | 'xhtml' | 'unsure';
  /** What its addresses are relative to. */
  readonly base: string | null;
}

export interface FeedMedia {
  readonly type: MediaType;
  readonly url: string;
  readonly alt?: string;
  readonly linkUrl?: string;
}

/** An entry in whatever format it came; texts are only turned into Markdown when it is wanted. */
export interface FeedEntry {
  readonly title: FeedText | null;
  /** The best first; those after it count where it is blank. */
  readonly texts: readonly FeedText[];
  readonly guid: string | null;
  readonly address: string | null;
  readonly publishedAt: string | null;
  readonly media: readonly FeedMedia[];
}

/** What entries are read within. */
export interface FeedHead {
  /** Where the feed was read from. */
  readonly address: string;
  /** The page that the feed belongs to. */
  readonly pageAddress: string | null;
}
