import type { AllStreamResolvedEvent, RecordedEvent, ResolvedEvent, StreamingRead } from '@eventstore/db-client';
import { TimedOut } from '../within-time.ts';

export type ClientRead = StreamingRead<ResolvedEvent> | StreamingRead<AllStreamResolvedEvent>;

export interface ReadLimits {
  readonly what: string;
  /** Between two events, so that a long read may go on; the client's reads have no deadline of their own. */
  readonly timeoutMs: number;
}

/**
 * Hands over each event until there are no more or `take` answers false. Answers how many came. The call is ended in any
 * case: one that is only left alone holds its place on the connection for ever, and there are 100.
 */
export function readEvents(
  read: ClientRead,
  { what, timeoutMs }: ReadLimits,
  take: (event: RecordedEvent) => boolean,
): Promise<number> {
  return new Promise<number>((resolve, reject) => {
    let count = 0;
    let isSettled = false;
    const settle = (end: () => void): void => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      read.off('data', onData);
      // A read whose call was never made has failed with the reason of it.
      read.cancel().catch(() => undefined);
      end();
    };
    const fail = (error: unknown): void => settle(() => reject(error));
    const timer = setTimeout(() => fail(new TimedOut({ server: 'EventStoreDB', what, timeoutMs })), timeoutMs);
    const onData = ({ event }: ResolvedEvent | AllStreamResolvedEvent): void => {
      timer.refresh();
      if (event === undefined) return;
      count += 1;
      try {
        if (!take(event)) settle(() => resolve(count));
      } catch (error) {
        fail(error);
      }
    };
    read.on('error', fail);
    read.on('end', () => settle(() => resolve(count)));
    read.on('data', onData);
  });
}
