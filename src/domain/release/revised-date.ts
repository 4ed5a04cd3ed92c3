import type { ReleaseRevised } from './events.ts';

/**
 * The effective date after a revision, for folds that do not keep the given values: a revision names only what it
 * changed, so whoever asks must know whether the date was a given one before.
 */
export const revisedPublishedAt = (
  { given, derived, previousPublishedAt }: ReleaseRevised['data'],
  wasGiven: boolean,
): string | null => {
  if (given.publishedAt !== undefined) return given.publishedAt ?? derived.publishedAt;
  return wasGiven ? previousPublishedAt : derived.publishedAt;
};

export const isGivenAfter = (change: unknown, wasGiven: boolean): boolean =>
  change === undefined ? wasGiven : change !== null;
