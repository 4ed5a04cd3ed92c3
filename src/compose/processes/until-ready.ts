import { systemClock } from '../../adapters/system/clock.ts';
import { runChecks } from '../../http/health-checks.ts';
import type { Services } from '../../http/services.ts';

/** Most starts are ready by then, so that nobody has to read of the waiting. */
const quietMs = 2_000;
const firstLooksMs = 25;
const laterLooksMs = 500;

/** Looks at these, which are all that `/health/ready` looks at or some of it, until they work. False when it was told to stop before. */
export async function untilReady(
  checks: Services['checks'],
  options: {
    readonly signal: AbortSignal;
    /** Once, with what is waited for. */
    readonly onLongWait: (failing: readonly string[]) => void;
  },
): Promise<boolean> {
  const { signal, onLongWait } = options;
  const quietUntilMs = systemClock.nowMs() + quietMs;
  let isTold = false;
  while (!signal.aborted) {
    const failing: string[] = [];
    await runChecks(checks, (name) => failing.push(name));
    if (failing.length === 0) return true;
    const isQuiet = systemClock.nowMs() < quietUntilMs;
    if (!isQuiet && !isTold) {
      isTold = true;
      onLongWait(failing);
    }
    await systemClock.sleep(isQuiet ? firstLooksMs : laterLooksMs, signal);
  }
  return false;
}
