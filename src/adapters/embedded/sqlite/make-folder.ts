import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartupError } from '../../../kernel/startup-error.ts';

const ownerOnly = 0o700;

// Node's own recursion never ends where a folder cannot be made though the one above is there, as below /proc.
function makeWithThoseAbove(folder: string): void {
  const above = dirname(folder);
  if (above !== folder && !existsSync(above)) makeWithThoseAbove(above);
  try {
    mkdirSync(folder, { mode: ownerOnly });
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST' && statSync(folder).isDirectory();
    if (!isThere) throw error;
  }
}

/** Makes the data folder, or one in it, with those above that are missing. One that is there keeps its rights. */
export function makeFolder(folder: string): void {
  try {
    makeWithThoseAbove(folder);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isTaken = code === 'EEXIST' || code === 'ENOTDIR';
    throw new StartupError(
      isTaken
        ? `${folder} cannot hold data: it is, or lies below, something that is no folder; choose another data folder.`
        : `The folder ${folder} cannot be made (${message}); check the rights, or choose another data folder.`,
      { cause: error },
    );
  }
}
