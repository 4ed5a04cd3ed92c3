import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { failure, type Finding, warning, well } from '../ports/finding.ts';

const spareBytes = 1024 ** 3;

const isWritable = (folder: string): boolean => {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return statSync(folder).isDirectory();
  } catch {
    return false; // the question was whether
  }
};

/** For what is embedded. */
export function examineDataFolder(dataDir: string): Finding[] {
  const about = 'data folder';
  const folder = resolve(dataDir);
  let nearest = folder;
  while (!existsSync(nearest)) nearest = dirname(nearest);
  if (!isWritable(nearest)) {
    return [failure(about, `${folder} cannot be read and written`, 'Correct its owner and rights, or set DATA_DIR.')];
  }
  const { bavail, bsize } = statfsSync(nearest);
  const free = `${((bavail * bsize) / spareBytes).toFixed(1)} GiB`;
  return [
    well(about, existsSync(folder) ? `${folder} can be written` : `${folder} does not exist yet; the start makes it`),
    bavail * bsize < spareBytes
      ? warning(about, `${free} are free on its disk`, 'Make room: a full disk stops all writes.')
      : well(about, `${free} are free on its disk`),
  ];
}
