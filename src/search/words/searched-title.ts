import { effectiveRelease } from '../../domain/release/effective.ts';
import type { ReleaseDerived, ReleaseGiven } from '../../domain/release/events.ts';

/** What of a release is found as its title. */
export const searchedTitle = ({
  given,
  derived,
}: {
  readonly given: ReleaseGiven;
  readonly derived: ReleaseDerived;
}): string => {
  const { title, version, titleGenerated } = effectiveRelease(given, derived);
  return [title, version, titleGenerated].filter((part) => part !== null).join('\n');
};
