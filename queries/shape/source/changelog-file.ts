import type { ChangelogFileDocument } from '../../../projections/changelog-files/changelog-files.ts';
import type { SourceDocument } from '../../../projections/source/source.ts';
import { filenameOf } from '../../../src/domain/changelog/choice.ts';
import { githubCoordinate } from '../../../src/domain/source/github-coordinate.ts';

/** From here on the tokens of the whole file are estimated in answers. */
const exactBytesMax = 262_144;

const repositoryUrl = ({ url }: Pick<SourceDocument, 'url'>): string => {
  const coordinate = githubCoordinate(url);
  return coordinate === null ? url.replace(/\/+$/, '') : `https://github.com/${coordinate}`;
};

const encodedPath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** As given, else where the repository shows the file of its main branch. */
export const changelogFileUrl = (
  source: Pick<SourceDocument, 'url'>,
  { path, url }: Pick<ChangelogFileDocument, 'path' | 'url'>,
): string => url ?? `${repositoryUrl(source)}/blob/HEAD/${encodedPath(path)}`;

/** What a list of files says of each. */
export const changelogFileItem = (source: Pick<SourceDocument, 'url'>, file: ChangelogFileDocument) => ({
  path: file.path,
  filename: filenameOf(file.path),
  url: changelogFileUrl(source, file),
  bytes: file.bytes,
  fetchedAt: file.fetchedAt,
});

/** A file without its content (contract 5.4). */
export const changelogFileRecord = (source: Pick<SourceDocument, 'url'>, file: ChangelogFileDocument) => ({
  ...changelogFileItem(source, file),
  rawUrl: file.rawUrl ?? `${repositoryUrl(source)}/raw/HEAD/${encodedPath(file.path)}`,
  totalChars: file.chars,
  totalTokens: file.bytes < exactBytesMax ? file.tokens : Math.ceil(file.chars / 4),
  truncated: file.truncated,
});
