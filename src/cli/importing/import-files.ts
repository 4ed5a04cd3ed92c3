import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { glob } from 'tinyglobby';
import type { ChangelogFile, SkippedFile } from '../../ingest/importing/import-plan.ts';
import type { LinesFile } from '../../use-cases/importing/import-release-lines.ts';
import { UsageError } from '../cli-command.ts';
import { bySlashes, type FoundFile, readChangelog } from './changelog-files.ts';
import { isReleaseFile, releaseFile } from './release-file.ts';

export interface ImportFiles {
  /** Those nearest to the top first. */
  readonly changelogs: readonly (() => ChangelogFile | SkippedFile)[];
  readonly releaseFiles: readonly LinesFile[];
}

const changelogNames = '**/{changelog,changes,history,releases,news}.md';
/** What ends in `.jsonl` is mostly something else, so it has to be named. */
const releaseFileNames = '**/*.ndjson';

// What is installed below a folder is not what the folder is about.
const globOptions = {
  ignore: ['**/node_modules/**', '**/.git/**'],
  followSymbolicLinks: false,
  expandDirectories: false,
};

const depthOf = (path: string): number => bySlashes(path).split('/').length;

async function findBelow(folder: string): Promise<FoundFile[]> {
  const options = { ...globOptions, cwd: folder, caseSensitiveMatch: false };
  const names = await glob([changelogNames, releaseFileNames], options);
  return names.map((name) => ({ path: join(folder, name), root: folder }));
}

/** The files that a pattern names; where it names only folders, what is below them. */
async function findByPattern(pattern: string): Promise<FoundFile[]> {
  const files = await glob([pattern], globOptions);
  if (files.length > 0) return files.map((name) => ({ path: resolve(name), root: process.cwd() }));
  const folders = await glob([pattern], { ...globOptions, onlyDirectories: true });
  return (await Promise.all(folders.map((name) => findBelow(resolve(name))))).flat();
}

async function findOf(word: string): Promise<FoundFile[]> {
  const path = resolve(word);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile()) return [{ path, root: dirname(path) }];
  const found = await (stats?.isDirectory() ? findBelow(path) : findByPattern(bySlashes(word)));
  if (found.length > 0) return found;
  const missing = stats === undefined ? 'nothing to import' : 'no changelog and no .ndjson file';
  throw new UsageError(`There is ${missing} at ${word}.`);
}

function importFiles(found: Iterable<FoundFile>): ImportFiles {
  const files = [...found].sort((a, b) => depthOf(a.path) - depthOf(b.path) || (a.path < b.path ? -1 : 1));
  return {
    changelogs: files.filter(({ path }) => !isReleaseFile(path)).map((file) => () => readChangelog(file)),
    releaseFiles: files.filter(({ path }) => isReleaseFile(path)).map(({ path }) => releaseFile(path)),
  };
}

/** What is to be imported of a folder, which may be nothing. */
export const findImportFilesBelow = async (folder: string): Promise<ImportFiles> =>
  importFiles(await findBelow(folder));

/** The same of the folders, files and patterns that these words name, each file once; a word must name something. */
export async function findImportFiles(words: readonly string[]): Promise<ImportFiles> {
  const found = new Map<string, FoundFile>();
  for (const word of words) {
    for (const file of await findOf(word)) if (!found.has(file.path)) found.set(file.path, file);
  }
  return importFiles(found.values());
}
