import { changelogEntries } from '../../../src/ingest/changelog/changelog-entries.ts';
import { cachedChangelogs } from '../changelog-quality/package-cache.ts';
import { pinnedSearchPackages } from './pinned-search-packages.ts';

/** A release as a search finds it. */
export interface CorpusRelease {
  readonly package: string;
  readonly version: string;
  readonly title: string;
  readonly content: string;
  /** As far as the changelog tells; null for most of some packages. */
  readonly publishedMs: number | null;
}

/** A changelog file, whose pieces are found beside the releases. */
export interface CorpusFile {
  readonly package: string;
  readonly text: string;
}

/** One name for a release, in what is ranked and in what is judged. */
export const corpusIdOf = (release: { readonly package: string; readonly version: string }): string =>
  `${release.package}@${release.version}`;

/** One that is missing is an error: figures over less are others. */
export function readCorpusFiles(): CorpusFile[] {
  const files = new Map(cachedChangelogs().map((file) => [file.packageName, file]));
  return pinnedSearchPackages.map((name) => {
    const file = files.get(name);
    if (file === undefined) throw new Error(`${name} is not in the cache: run the bench changelog-quality once`);
    return { package: name, text: file.text };
  });
}

const dateOf = (publishedAt: string | null): number | null => (publishedAt === null ? null : Date.parse(publishedAt));

/** The releases that the cached changelogs tell about. */
export const readCorpus = (): CorpusRelease[] =>
  readCorpusFiles().flatMap(({ package: name, text }) =>
    changelogEntries(text).flatMap(({ version, title, content, publishedAt }) =>
      version === null ? [] : [{ package: name, version, title, content, publishedMs: dateOf(publishedAt) }],
    ),
  );
