import { DomainError } from '../../kernel/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';

const triesMax = 10;
const firstWaitMs = 5;
const waitMsMax = 250;

/** Tries again while the task answers `again`; ten writers on one stream get through, a hopeless one is told so. */
export async function retryConflicts<T>(
  { clock, random }: { readonly clock: Clock; readonly random: Random },
  task: () => Promise<T | 'again'>,
): Promise<T> {
  for (let attempt = 0; attempt < triesMax; attempt += 1) {
    if (attempt > 0) await clock.sleep(Math.min(waitMsMax, firstWaitMs * 2 ** attempt) * random.fraction());
    const result = await task();
    if (result !== 'again') return result;
  }
  throw new DomainError('service_unavailable');
}
