import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmbeddedOperationalStore } from '../../src/adapters/embedded/operational-store/operational-store.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { systemRandom } from '../../src/adapters/system/random.ts';
import { StartupError } from '../../src/kernel/startup-error.ts';
import type { OperationalStore } from '../../src/ports/operational-store.ts';
import { createSeal } from '../../src/records/secrets/seal.ts';
import { opensSecrets, requireSameSecretKey } from '../../src/records/secrets/secret-key-mark.ts';
import { createTempFolder, type TempFolder } from '../spec/temp-folder.ts';

let folder: TempFolder;
let ops: OperationalStore;

beforeEach(async () => {
  folder = createTempFolder();
  const onFatal = (error: Error) => {
    throw error;
  };
  ops = await createEmbeddedOperationalStore({ folder: folder.path, clock: systemClock, onFatal });
});

afterEach(async () => {
  await ops.close();
  folder.remove();
});

const sealWith = (byte: number) => createSeal(new Uint8Array(32).fill(byte), systemRandom);

describe('the key that secrets are sealed with', () => {
  it('is remembered by the first start, and asked for by every other', async () => {
    expect(await opensSecrets(ops, sealWith(1))).toBeNull();
    await Promise.all([requireSameSecretKey(ops, sealWith(1)), requireSameSecretKey(ops, sealWith(1))]);
    await requireSameSecretKey(ops, sealWith(1));
    expect(await opensSecrets(ops, sealWith(1))).toBe(true);
  });

  it('stops a start with another one, and neither is told', async () => {
    await requireSameSecretKey(ops, sealWith(1));
    const refused = requireSameSecretKey(ops, sealWith(2));
    await expect(refused).rejects.toThrow(StartupError);
    await expect(refused).rejects.toThrow('SECRET_KEY is not the key');
    await expect(refused).rejects.not.toThrow('02020202');
    expect(await opensSecrets(ops, sealWith(2))).toBe(false);
  });
});
