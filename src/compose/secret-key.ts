import { openSecretKeyFile, readSecretKeyFile } from '../adapters/embedded/secret-key-file.ts';
import { systemRandom } from '../adapters/system/random.ts';
import type { Config } from '../config/settings.ts';
import { StartupError } from '../kernel/startup-error.ts';

type KeySettings = Pick<Config, 'SECRET_KEY' | 'DATA_DIR' | 'EVENT_STORE_URL' | 'MONGODB_URL'>;

/** Several processes share what they seal, so with servers no process can make the key on its own. */
export function openSecretKey(config: KeySettings): Uint8Array {
  if (config.SECRET_KEY !== undefined) return config.SECRET_KEY;
  if (config.EVENT_STORE_URL === undefined && config.MONGODB_URL === undefined) {
    return openSecretKeyFile(config.DATA_DIR, systemRandom);
  }
  throw new StartupError(
    'SECRET_KEY must be set when EVENT_STORE_URL or MONGODB_URL is: 32 bytes, the same for every process. ' +
      'Make one with `openssl rand -hex 32` and keep it; coming from a data folder, take the one in its file secret.key.',
  );
}

/** The key that a start would use; null when it would make one. */
export const knownSecretKey = ({ SECRET_KEY, DATA_DIR }: KeySettings): Uint8Array | null =>
  SECRET_KEY ?? readSecretKeyFile(DATA_DIR);
