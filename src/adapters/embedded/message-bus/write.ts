import { retryDelayMs } from '../../dispatch/retry-delay.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { BusCalls } from './calls.ts';
import { isPassing } from '../sqlite/group-commit.ts';
import type { OpsWriterClient } from '../operational-store/writer-client.ts';

/** A call of the writer thread that is made again until the file takes it. */
export type BusWrite = <Name extends keyof BusCalls>(
  name: Name,
  input: Parameters<BusCalls[Name]>[0],
) => Promise<Awaited<ReturnType<BusCalls[Name]>>>;

/** What the file refuses for a while is told and tried again; once the signal has fired, the first refusal counts. */
export function createBusWrite(
  writer: OpsWriterClient,
  clock: Clock,
  onDrop: (error: Error) => void,
  lastTries: AbortSignal,
): BusWrite {
  const call = writer.call as (name: string, input: unknown) => Promise<never>;
  return async (name, input) => {
    for (let failures = 1; ; failures += 1) {
      try {
        return await call(name, input);
      } catch (error) {
        if (!isPassing(error)) throw error;
        onDrop(error as Error);
        if (lastTries.aborted) throw error;
      }
      await clock.sleep(retryDelayMs(failures), lastTries);
    }
  };
}
