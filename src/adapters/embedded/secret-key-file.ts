import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { StartupError } from '../../kernel/startup-error.ts';
import type { Random } from '../../ports/random.ts';
import { makeFolder } from './sqlite/make-folder.ts';

const keyBytes = 32;
const fileName = 'secret.key';

const isCode = (error: unknown, code: string): boolean => (error as { code?: string }).code === code;

function readKey(file: string): Uint8Array | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return null; // why not is told when it is made
    throw new StartupError(`${file} cannot be read (${(error as Error).message}); check its owner and rights.`, {
      cause: error,
    });
  }
  if (!/^[0-9a-f]{64}$/.test(text)) {
    throw new StartupError(`${file} does not hold ${keyBytes} bytes as hexadecimal digits; restore it from a backup.`);
  }
  return new Uint8Array(Buffer.from(text, 'hex'));
}

/** The file appears whole or not at all, and whoever comes second leaves the first one's. */
function writeKey(folder: string, file: string, key: Uint8Array): void {
  const draft = join(folder, `${fileName}.${process.pid}`);
  rmSync(draft, { force: true });
  const opened = openSync(draft, 'wx', 0o600);
  try {
    writeSync(opened, `${Buffer.from(key).toString('hex')}\n`);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Null when the folder has none yet. */
export const readSecretKeyFile = (folder: string): Uint8Array | null => readKey(join(folder, fileName));

/** The sealing key of a data folder. It is made once; only the owner of the folder may read it. */
export function openSecretKeyFile(folder: string, random: Random): Uint8Array {
  const file = join(folder, fileName);
  const known = readKey(file);
  if (known !== null) return known;
  makeFolder(folder);
  try {
    writeKey(folder, file, random.bytes(keyBytes));
  } catch (error) {
    throw new StartupError(
      `${file} cannot be written (${(error as Error).message}); check the folder and its rights.`,
      {
        cause: error,
      },
    );
  }
  const made = readKey(file);
  if (made === null) throw new StartupError(`${file} was written but is not there.`);
  return made;
}
