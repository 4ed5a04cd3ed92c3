import { randomBytes } from 'node:crypto';
import type { Random } from '../../ports/random.ts';

export const systemRandom: Random = {
  fraction: () => Math.random(),
  bytes: (count) => new Uint8Array(randomBytes(count)),
};
