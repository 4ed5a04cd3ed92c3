import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { logBytesOf } from '../sqlite/open-database.ts';

/**
 * Whether there are read models in the data folder that nobody has open and nobody left behind in a crash. What was left is
 * checked by the first who opens it to write; who only wants to read must not be there before.
 */
export function wereClosedInOrder(folder: string): boolean {
  const readFolder = join(folder, 'read');
  if (!existsSync(join(readFolder, 'pointers.sqlite'))) return false;
  const files = readdirSync(readFolder).filter((file) => file.endsWith('.sqlite'));
  return files.every((file) => logBytesOf(join(readFolder, file)) === 0);
}
