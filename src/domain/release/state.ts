import type { Model } from '../../kernel/model.ts';
import type { ReleaseIdentity } from './identity.ts';
import { effectiveDate, mergeGiven } from './effective.ts';
import { coverageAfter, type CoverageState, noCoverage } from './coverage/state.ts';
import { type Edits, editsAfter, editsAfterConfirmed, noEdits } from './edits.ts';
import { type EnrichedField, enrichedAfter } from './enriched.ts';
import type { ReleaseDerived, ReleaseEvent, ReleaseGiven } from './events.ts';
import type { Suppression } from './suppression.ts';

export interface IndexedRelease {
  readonly status: 'indexed';
  readonly sourceId: string;
  readonly orgId: string | null;
  readonly identity: ReleaseIdentity;
  readonly given: ReleaseGiven;
  readonly derived: ReleaseDerived;
  readonly edits: Edits;
  readonly fetchedAt: string;
  readonly revision: number;
  /** Its date lay ahead when it was last looked at. */
  readonly pending: boolean;
  /** It was indexed ahead of its date and shall be announced when that comes. */
  readonly announcementOwed: boolean;
  /** Null while it is not taken down. */
  readonly suppression: Suppression | null;
  readonly coverage: CoverageState;
  /** Of every long text that it ever had, for erasing. */
  readonly textHashes: readonly string[];
  /** Every effective date that it ever had, for erasing. */
  readonly publishedDates: readonly (string | null)[];
  /** Which of the given values were written by enrichment, and by nobody since; absent when none were. */
  readonly enriched?: readonly EnrichedField[];
}

export type ReleaseState =
  | { readonly status: 'absent' }
  | IndexedRelease
  | { readonly status: 'erased'; readonly sourceId: string };

const withText = (hashes: readonly string[], content: ReleaseGiven['content'] | null | undefined): readonly string[] =>
  typeof content === 'object' && content !== null && !hashes.includes(content.sha256)
    ? [...hashes, content.sha256]
    : hashes;

const withDate = (
  dates: readonly (string | null)[],
  given: ReleaseGiven,
  derived: ReleaseDerived,
): readonly (string | null)[] => {
  const publishedAt = effectiveDate(given, derived);
  return dates.includes(publishedAt) ? dates : [...dates, publishedAt];
};

export const release: Model<ReleaseState, ReleaseEvent> = {
  foldVersion: 3,
  initial: { status: 'absent' },
  evolve: (state, event, { cause }) => {
    // After truncation this is the first event that is left.
    if (event.type === 'ReleaseErased.v1') return { status: 'erased', sourceId: event.data.sourceId };
    if (event.type === 'ReleaseIndexed.v1') {
      const { announcement, ...indexed } = event.data;
      return {
        ...indexed,
        status: 'indexed',
        edits: noEdits,
        revision: 1,
        announcementOwed: announcement === 'due',
        suppression: null,
        coverage: noCoverage,
        textHashes: withText([], indexed.given.content),
        publishedDates: withDate([], indexed.given, indexed.derived),
      };
    }
    if (state.status !== 'indexed') return state;
    switch (event.type) {
      case 'ReleaseRevised.v1': {
        const given = mergeGiven(state.given, event.data.given);
        return {
          ...state,
          given,
          derived: event.data.derived,
          edits: editsAfter(state, event.data.given, cause === 'edit'),
          revision: event.data.revision,
          pending: event.data.pending,
          textHashes: withText(state.textHashes, event.data.given.content),
          publishedDates: withDate(state.publishedDates, given, event.data.derived),
          ...enrichedAfter(state.enriched, event.data.given, cause),
        };
      }
      case 'EditsConfirmed.v1':
        return { ...state, edits: editsAfterConfirmed(state.edits, event.data) };
      case 'ReleaseDated.v1':
        return { ...state, pending: false };
      case 'ReleaseAnnounced.v1':
      case 'AnnouncementWaived.v1':
        return { ...state, announcementOwed: false };
      case 'ReleaseSuppressed.v1':
        return { ...state, suppression: { reason: event.data.reason } };
      case 'ReleaseUnsuppressed.v1':
        return { ...state, suppression: null };
      case 'CoverageClaimed.v1':
      case 'CoverageReleased.v1':
      case 'CoverageLinked.v1':
      case 'CoverageUnlinked.v1':
      case 'CoverageForfeited.v1':
        return { ...state, coverage: coverageAfter(state.coverage, event) };
      default:
        return state;
    }
  },
};

/** Where a fold by date finds the release. */
export const placeOf = ({ sourceId, given, derived }: IndexedRelease) => ({
  sourceId,
  publishedAt: effectiveDate(given, derived),
});
