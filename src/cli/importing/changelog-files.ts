import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { ChangelogFile, SkippedFile } from '../../ingest/importing/import-plan.ts';

export interface FoundFile {
  readonly path: string;
  /** The folder that was searched; nothing above it is looked at. */
  readonly root: string;
}

const fileBytesMax = 10 * 1024 * 1024;

export const bySlashes = (path: string): string => path.split(sep).join('/');

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
export function readChangelog(file: FoundFile): ChangelogFile | SkippedFile {
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
