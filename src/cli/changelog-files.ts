import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { glob } from 'tinyglobby';
import type { ChangelogFile, SkippedFile } from '../ingest/importing/import-plan.ts';
import { UsageError } from './cli-command.ts';

interface FoundFile {
  readonly path: string;
  /** The folder that was searched; nothing above it is looked at. */
  readonly root: string;
}

const changelogNames = '**/{changelog,changes,history,releases,news}.md';
const fileBytesMax = 10 * 1024 * 1024;

// What is installed below a folder is not what the folder is about.
const globOptions = { ignore: ['**/node_modules/**', '**/.git/**'], followSymbolicLinks: false };

const bySlashes = (path: string): string => path.split(sep).join('/');

const depthOf = (path: string): number => bySlashes(path).split('/').length;

async function findOf(word: string): Promise<FoundFile[]> {
  const path = resolve(word);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile()) return [{ path, root: dirname(path) }];
  if (stats?.isDirectory()) {
    const names = await glob([changelogNames], { ...globOptions, cwd: path, caseSensitiveMatch: false });
    return names.map((name) => ({ path: join(path, name), root: path }));
  }
  const names = await glob([bySlashes(word)], globOptions);
  if (names.length === 0) throw new UsageError(`There is nothing at ${word}.`);
  return names.map((name) => ({ path: resolve(name), root: process.cwd() }));
}

/** The changelogs below folders, or the files that a pattern names; those nearest to the top first, each once. */
export async function findChangelogs(words: readonly string[]): Promise<(() => ChangelogFile | SkippedFile)[]> {
  const found = new Map<string, FoundFile>();
  for (const word of words) {
    for (const file of await findOf(word)) if (!found.has(file.path)) found.set(file.path, file);
  }
  return [...found.values()]
    .sort((a, b) => depthOf(a.path) - depthOf(b.path) || (a.path < b.path ? -1 : 1))
    .map((file) => () => readChangelog(file));
}

/** The package.json beside the file or nearest above it, up to the folder that was searched. */
function manifestPathOf({ path, root }: FoundFile): string | null {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest)) return manifest;
    if (folder === root || folder === dirname(folder)) return null;
  }
}

function parseManifest(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Reads one changelog with what is known about it; a file that cannot be used is told as such. */
function readChangelog(file: FoundFile): ChangelogFile | SkippedFile {
  const path = bySlashes(relative('', file.path));
  if (statSync(file.path).size > fileBytesMax) return { path, reason: `larger than ${fileBytesMax} bytes` };
  const manifestPath = manifestPathOf(file);
  const manifest = manifestPath === null ? null : parseManifest(manifestPath);
  if (manifest === undefined) return { path, reason: 'its package.json is not JSON' };
  const folder = bySlashes(relative(file.root, dirname(file.path)));
  const rootName = basename(file.root);
  return {
    path,
    folderName: folder === '' ? rootName : folder,
    rootName,
    text: readFileSync(file.path, 'utf8'),
    manifest,
  };
}
