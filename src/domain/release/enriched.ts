import type { Cause } from '../../kernel/event.ts';
import type { GivenChanges, ReleaseDerived, ReleaseGiven } from './events.ts';

/** What enrichment may write where nobody else has (contract 6.4). */
export const enrichedFields = ['titleGenerated', 'titleShort', 'composition'] as const;
export type EnrichedField = (typeof enrichedFields)[number];

/** Which values are those of enrichment once some were changed. A snapshot of before has none, as there were none. */
export const enrichedAfter = (
  before: readonly EnrichedField[] | undefined,
  changes: GivenChanges,
  cause: Cause,
): { readonly enriched?: readonly EnrichedField[] } => {
  const changed = enrichedFields.filter((field) => field in changes);
  if (changed.length === 0) return {};
  const others = (before ?? []).filter((field) => !changed.includes(field));
  return { enriched: cause === 'enrich' ? [...others, ...changed] : others };
};

interface Enrichable {
  readonly given: ReleaseGiven;
  readonly derived: ReleaseDerived;
  readonly enriched?: readonly EnrichedField[];
}

/** Whether the field is free for enrichment: nobody gave it, and the text itself does not tell. */
export const isEnrichable = ({ given, derived, enriched = [] }: Enrichable, field: EnrichedField): boolean => {
  if (enriched.includes(field)) return true;
  return given[field] === undefined && !(field === 'composition' && derived.composition !== null);
};
