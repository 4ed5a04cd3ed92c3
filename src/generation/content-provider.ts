import type { Breaking } from '../domain/enumerations.ts';
import type { Citation } from '../domain/overview/events.ts';
import type { Composition } from '../domain/release/events.ts';
import type { EndpointFailureReason, FailureNotes } from '../openai/endpoint-failed.ts';

/** A release as everybody sees it, with as much of its text as is looked at. */
export interface ContributingRelease {
  readonly id: string;
  readonly sourceId: string;
  readonly sourceName: string;
  /** What it is called on one line, its version included. */
  readonly headline: string;
  readonly title: string;
  readonly version: string | null;
  readonly url: string | null;
  readonly webUrl: string;
  readonly publishedAt: string | null;
  readonly fetchedAt: string;
  readonly breaking: Breaking;
  readonly importance: number | null;
  /** The beginning of its text, in Markdown. */
  readonly text: string;
}

export interface OverviewDraft {
  readonly content: string;
  /** Each cuts `citedText` out of the content. */
  readonly citations: readonly Citation[];
  /** Releases that it may tell of without citing them: of whoever writes in words of its own, all that it was shown. */
  readonly shownReleaseIds?: readonly string[];
}

/** The days that a summary is about. */
export type SummaryWindow =
  | { readonly type: 'rolling'; readonly windowDays: number }
  | { readonly type: 'monthly'; readonly year: number; readonly month: number };

export interface SummarizedReleases {
  /** The newest of them, the newest first. */
  readonly releases: readonly ContributingRelease[];
  /** How many there are in the window. */
  readonly count: number;
}

export interface Enrichment {
  readonly titleGenerated?: string;
  readonly titleShort?: string;
  readonly composition?: Composition;
}

/** Writes about releases. Null: there is nothing to say. Throws ProviderFailed. */
export interface ContentProvider {
  /** The newest releases of an org, the newest first. */
  readonly overviewOf: (
    org: { readonly name: string },
    releases: readonly ContributingRelease[],
  ) => Promise<OverviewDraft | null>;
  readonly summaryOf: (
    source: { readonly name: string },
    window: SummaryWindow,
    summarized: SummarizedReleases,
  ) => Promise<string | null>;
  /** Absent where nothing can be said about a release that it does not say itself. */
  readonly enrich?: (release: ContributingRelease) => Promise<Enrichment>;
}

/** Something between us and the provider, or on its side; a mistake of our own is any other error. */
export class ProviderFailed extends Error {
  readonly reason: EndpointFailureReason;
  readonly status: number | null;
  /** How long it asks us to wait; null when it does not say. */
  readonly retryAfterMs: number | null;

  constructor(reason: EndpointFailureReason, { status = null, retryAfterMs = null, cause }: FailureNotes = {}) {
    super(`the content provider did not answer: ${reason}`, { cause });
    this.name = 'ProviderFailed';
    this.reason = reason;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}
