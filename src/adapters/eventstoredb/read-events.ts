import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { TimedOut } from '../within-time.ts';
import type { Call } from './client.ts';
import type { ReadAnswer, ServerEvent } from './wire/read-answer.ts';
import { startRead } from './wire/streams-calls.ts';

export interface Read {
  readonly what: string;
  readonly request: ReadReq;
  /** Until the first event and between two, so that a long read may go on; the call has no deadline of its own. */
  readonly timeoutMs: number;
}

/**
 * Hands over each event until there are no more or `take` answers false. Answers how many came, or null when there is no
 * such stream. The call is ended in any case: one that is only left alone holds its place on the connection for ever,
 * and there are 100.
 */
export const readEvents = (
  call: Call,
  { what, request, timeoutMs }: Read,
  take: (event: ServerEvent) => boolean,
): Promise<number | null> =>
  new Promise((resolve, reject) => {
    let count = 0;
    let isSettled = false;
    let cancel = (): void => {};
    const settle = (end: () => void): void => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      setImmediate(() => cancel()); // not in the middle of the answer that has told enough
      end();
    };
    const fail = (error: unknown): void => settle(() => reject(error));
    const timer = setTimeout(() => fail(new TimedOut({ server: 'EventStoreDB', what, timeoutMs })), timeoutMs);
    const onAnswer = (answer: ReadAnswer): void => {
      if (isSettled) return;
      timer.refresh();
      if (answer.kind === 'absent') settle(() => resolve(null));
      if (answer.kind !== 'event') return;
      count += 1;
      try {
        if (!take(answer)) settle(() => resolve(count));
      } catch (error) {
        fail(error);
      }
    };
    const untilOver = call(
      (connection) =>
        new Promise<void>((over, failed) => {
          if (isSettled) return over();
          const read = startRead(connection, request);
          cancel = () => read.cancel();
          read.on('error', (error) => (isSettled ? over() : failed(error)));
          read.on('end', over);
          read.on('data', onAnswer);
        }),
    );
    untilOver.then(() => settle(() => resolve(count)), fail);
  });
