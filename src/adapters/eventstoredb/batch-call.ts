import { convertToCommandError } from '@eventstore/db-client';
import { TimedOut } from '../within-time.ts';
import type { Connection } from './client.ts';
import type { SendAppend } from './server-calls.ts';
import { appendFailure, isNotHandled } from './wire/append-failure.ts';
import type { AppendSuccess, BatchAppendAnswer } from './wire/batch-append-answer.ts';
import { batchAppendRequest } from './wire/batch-append-request.ts';
import { startBatchAppend } from './wire/streams-calls.ts';

/** Whoever waited for an answer sends it again: the server may have stored it or not. */
export class BatchCallEnded extends Error {
  readonly type = 'cancelled';

  constructor(reason: string) {
    super(`The call that carries appends to EventStoreDB has ended: ${reason}.`);
    this.name = 'BatchCallEnded';
  }
}

/** One call for many appends. */
export interface BatchCall {
  readonly append: SendAppend;
  /** Rejects with the failure of the server, or of the way to it; resolves when the call has ended without one. */
  readonly over: Promise<void>;
}

export interface BatchCallOptions {
  readonly timeoutMs: number;
  /** Ends the call, with a `BatchCallEnded` for whoever waits for an answer. */
  readonly ending: AbortSignal;
}

interface Waiting {
  readonly stream: string;
  readonly resolve: (success: AppendSuccess) => void;
  readonly reject: (error: Error) => void;
}

/**
 * What is sent at once is bounded by the turns that appends take, so nothing waits here for the server to take more in.
 * Each append has its own time; when not a single answer has come in one, the whole call is given up.
 */
export function startBatchCall(connection: Connection, { timeoutMs, ending }: BatchCallOptions): BatchCall {
  const call = startBatchAppend(connection);
  const waiting = new Map<string, Waiting>();
  let answers = 0;
  let ended: Error | undefined;
  let settleOver = (): void => {};
  const over = new Promise<void>((resolve, reject) => {
    settleOver = () => (ended instanceof BatchCallEnded ? resolve() : reject(ended));
  });

  const endWith = (reason: Error): void => {
    if (ended) return;
    ended = reason;
    settleOver();
    const left = [...waiting.values()];
    waiting.clear();
    for (const { reject } of left) reject(reason);
    ending.removeEventListener('abort', onEnding);
    call.cancel(); // also one that the server has ended: its other half would stay open
  };

  const onEnding = (): void => endWith(ending.reason as BatchCallEnded);

  const onAnswer = ({ correlationId, result }: BatchAppendAnswer): void => {
    answers += 1;
    const append = waiting.get(correlationId);
    if (append === undefined) return; // it was given up meanwhile
    if (result === undefined) return endWith(new BatchCallEnded('an answer says nothing'));
    if ('revision' in result) {
      waiting.delete(correlationId);
      return append.resolve(result);
    }
    const failure = appendFailure(result, append.stream);
    if (isNotHandled(result)) return endWith(failure); // nor will it take the others
    waiting.delete(correlationId);
    return append.reject(failure);
  };
  call.on('data', onAnswer);
  call.on('error', (error) => endWith(convertToCommandError(error)));
  call.on('end', () => endWith(new BatchCallEnded('the server has ended it')));
  ending.addEventListener('abort', onEnding);

  const append: SendAppend = (proposed) =>
    new Promise((resolve, reject) => {
      if (ended) return reject(ended);
      const { stream } = proposed;
      const { correlationId, bytes } = batchAppendRequest(proposed, timeoutMs);
      const answersBefore = answers;
      const giveUp = (): void => {
        waiting.delete(correlationId);
        const late = new TimedOut({ server: 'EventStoreDB', what: `append to ${stream}`, timeoutMs });
        reject(late);
        if (answers === answersBefore) endWith(new BatchCallEnded('no append was answered in time'));
      };
      const timer = setTimeout(giveUp, timeoutMs);
      const inTime =
        <Value>(settle: (value: Value) => void) =>
        (value: Value): void => {
          clearTimeout(timer);
          settle(value);
        };
      waiting.set(correlationId, { stream, resolve: inTime(resolve), reject: inTime(reject) });
      call.write(bytes);
    });

  return { append, over };
}
