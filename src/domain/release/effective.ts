import type { GivenChanges, ReleaseDerived, ReleaseGiven } from './events.ts';

/** Given values without the text; feeds keep these. */
export type GivenCard = Omit<ReleaseGiven, 'content'>;

/** Applies changed given values: null takes a value back. Title and content cannot be taken back. */
export function mergeGiven<Given extends Partial<GivenCard>>(given: Given, changes: Partial<GivenChanges>): Given {
  const merged: Record<string, unknown> = { ...given };
  for (const [field, value] of Object.entries(changes)) {
    if (value === null) delete merged[field];
    else merged[field] = value;
  }
  return merged as Given;
}

/** The date that readers see. */
export const effectiveDate = (
  given: Pick<ReleaseGiven, 'publishedAt'>,
  derived: Pick<ReleaseDerived, 'publishedAt'>,
): string | null => given.publishedAt ?? derived.publishedAt;

type CardValue = Exclude<keyof ReleaseGiven, 'content' | 'migrationNotes'>;

/** The values that lists show: given ones where there are any, else derived ones, else the defaults of contract 2.13. */
export const effectiveCard = (
  given: Pick<ReleaseGiven, CardValue>,
  derived: Omit<ReleaseDerived, 'contentHash' | 'migrationNotes'>,
) => ({
  title: given.title,
  version: given.version ?? null,
  url: given.url ?? null,
  publishedAt: effectiveDate(given, derived),
  type: given.type ?? derived.type,
  prerelease: given.prerelease ?? derived.prerelease,
  summary: given.summary ?? derived.summary,
  titleGenerated: given.titleGenerated ?? null,
  titleShort: given.titleShort ?? null,
  breaking: given.breaking ?? derived.breaking,
  importance: given.importance ?? derived.importance,
  composition: given.composition ?? derived.composition,
  media: given.media ?? [],
  contentChars: derived.contentChars,
  contentTokens: derived.contentTokens,
});

export type EffectiveCard = ReturnType<typeof effectiveCard>;

/** All values that readers see. */
export const effectiveRelease = (given: GivenCard, derived: ReleaseDerived) => ({
  ...effectiveCard(given, derived),
  migrationNotes: given.migrationNotes ?? derived.migrationNotes,
  contentHash: derived.contentHash,
});

export type EffectiveRelease = ReturnType<typeof effectiveRelease>;
