import type { DomainEvent } from '../../kernel/event.ts';

export interface Citation {
  readonly sourceUrl: string;
  readonly title?: string;
  readonly releaseId?: string;
  readonly releaseWebUrl?: string | null;
  /** UTF-16 units of the content. */
  readonly startIndex?: number;
  readonly endIndex?: number;
  readonly citedText?: string;
}

export interface OverviewFields {
  readonly content: string;
  readonly releaseCount: number;
  readonly lastContributingReleaseAt: string | null;
  readonly generatedAt: string;
  readonly citations: readonly Citation[];
}

export interface StoredOverview extends OverviewFields {
  readonly updatedAt: string;
  /** Who wrote it was shown these releases, and may tell of them without citing them. Nobody else is told of it. */
  readonly shownReleaseIds?: readonly string[];
}

/** What an org or product is about, written from its releases; the stream is named by its owner's id. */
export type OverviewWritten = DomainEvent<'OverviewWritten.v1', StoredOverview>;
/** What an overview cites, and what else it may tell of. */
export const toldReleaseIds = ({ citations, shownReleaseIds = [] }: StoredOverview): ReadonlySet<string> =>
  new Set([...citations.flatMap(({ releaseId }) => releaseId ?? []), ...shownReleaseIds]);

/** Its owner was purged: the text is truncated away behind this. */
export type OverviewRemoved = DomainEvent<'OverviewRemoved.v1', { removedAt: string }>;

export type OverviewEvent = OverviewWritten | OverviewRemoved;
