import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSecretKeyFile } from '../../../src/adapters/embedded/secret-key-file.ts';
import { systemRandom } from '../../../src/adapters/system/random.ts';
import { StartupError } from '../../../src/kernel/startup-error.ts';
import { createTempFolder, type TempFolder } from '../../spec/temp-folder.ts';

let folder: TempFolder;

beforeEach(() => {
  folder = createTempFolder();
});

afterEach(() => folder.remove());

it('makes a key once, for its owner only', () => {
  const made = openSecretKeyFile(join(folder.path, 'data'), systemRandom);
  expect(made).toHaveLength(32);
  expect(openSecretKeyFile(join(folder.path, 'data'), systemRandom)).toEqual(made);
  expect(statSync(join(folder.path, 'data', 'secret.key')).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(folder.path, 'data'))).toEqual(['secret.key']);
});

it('refuses a key that was cut short, and keeps it', () => {
  writeFileSync(join(folder.path, 'secret.key'), 'abcd');
  expect(() => openSecretKeyFile(folder.path, systemRandom)).toThrow(StartupError);
  expect(statSync(join(folder.path, 'secret.key')).size).toBe(4);
});

it('says which folder cannot be written', () => {
  writeFileSync(join(folder.path, 'file'), '');
  expect(() => openSecretKeyFile(join(folder.path, 'file', 'data'), systemRandom)).toThrow(
    /file.data cannot hold data/,
  );
});
