import { changelogEntries } from '../../../src/ingest/changelog/changelog-entries.ts';
import { cachedChangelogs } from '../changelog-quality/package-cache.ts';
import { pinnedSearchPackages } from './pinned-search-packages.ts';

/** A release as a search finds it. */
export interface CorpusRelease {
  readonly package: string;
  readonly version: string;
  readonly title: string;
  readonly content: string;
}

/** One name for a release, in what is ranked and in what is judged. */
export const corpusIdOf = (release: { readonly package: string; readonly version: string }): string =>
  `${release.package}@${release.version}`;

/** The releases that the cached changelogs tell about. One that is missing is an error: figures over less are others. */
export function readCorpus(): CorpusRelease[] {
  const files = new Map(cachedChangelogs().map((file) => [file.packageName, file]));
  return pinnedSearchPackages.flatMap((name) => {
    const file = files.get(name);
    if (file === undefined) throw new Error(`${name} is not in the cache: run the bench changelog-quality once`);
    return changelogEntries(file.text).flatMap(({ version, title, content }) =>
      version === null ? [] : [{ package: name, version, title, content }],
    );
  });
}
