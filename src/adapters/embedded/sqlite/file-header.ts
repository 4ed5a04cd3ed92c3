import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** What an SQLite file says of itself in its first hundred bytes (https://www.sqlite.org/fileformat.html). */
export interface FileHeader {
  readonly applicationId: number;
  readonly userVersion: number;
  readonly bytes: number;
}

const headerBytes = 100;
const magic = 'SQLite format 3\0';
const userVersionOffset = 60;
const applicationIdOffset = 68;

/**
 * Reads the header without SQLite: opening a file with SQLite may replay its log, and a file that is not ours must
 * stay as it is. Null when there is no file or an empty one, `not-sqlite` when it is something else.
 */
export function readFileHeader(file: string): FileHeader | 'not-sqlite' | null {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    const bytes = fstatSync(descriptor).size;
    if (bytes === 0) return null;
    const head = Buffer.alloc(headerBytes);
    const count = readSync(descriptor, head, 0, headerBytes, 0);
    if (count < headerBytes || head.toString('latin1', 0, magic.length) !== magic) return 'not-sqlite';
    return {
      applicationId: head.readInt32BE(applicationIdOffset),
      userVersion: head.readInt32BE(userVersionOffset),
      bytes,
    };
  } finally {
    closeSync(descriptor);
  }
}
