import { createHash } from 'node:crypto';
import { createSeeded } from '../seeded.ts';

/** One answer that is not 2xx and may be followed by a better one: 500, 429 with Retry-After, or none at all. */
export type Failure = 'error' | 'limited' | 'cut';

/** How a receiver treats all requests for one event. */
export type Behaviour =
  | { readonly kind: 'accepts' }
  | { readonly kind: 'slow' }
  | { readonly kind: 'recovers'; readonly failures: readonly Failure[] }
  | { readonly kind: 'fails' }
  | { readonly kind: 'refuses' };

const failures: readonly Failure[] = ['error', 'limited', 'cut'];

/**
 * By chance, and the same for the same seed, path and version: ids differ from run to run. Most events are taken, so
 * that no subscription has a long row of failed deliveries, which would disable it.
 */
export function behaviourOf(seed: number, path: string, version: string): Behaviour {
  const digest = createHash('sha256').update(`${seed} ${path} ${version}`).digest();
  const random = createSeeded(digest.readInt32BE(0));
  const dice = random.int(1, 100);
  if (dice <= 55) return { kind: 'accepts' };
  if (dice <= 65) return { kind: 'slow' };
  if (dice <= 72) return { kind: 'fails' };
  if (dice <= 79) return { kind: 'refuses' };
  // Two at most: the third attempt is the last one.
  return { kind: 'recovers', failures: Array.from({ length: random.int(1, 2) }, () => random.pick(failures)) };
}
