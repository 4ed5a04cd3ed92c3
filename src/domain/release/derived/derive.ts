import { deriveRelease } from './classify.ts';
import type { ReleaseDerived, ReleaseGiven } from '../events.ts';

/** What follows from the given values and the text; `contentTokens` is counted elsewhere. */
export const derivedValues = (given: ReleaseGiven, text: string, contentTokens: number | null): ReleaseDerived => ({
  ...deriveRelease(
    { title: given.title, content: text, version: given.version ?? null, publishedAt: given.publishedAt ?? null },
    { prerelease: given.prerelease, breaking: given.breaking },
  ),
  contentTokens: text === '' ? null : contentTokens,
});
