import type { Client, Dispatcher } from 'undici';
import { HttpFailure, type HttpResponse } from '../../ports/http-client.ts';
import { createBodyBytes } from './body-bytes.ts';
import type { Connections } from './connections.ts';
import { failureOf } from './failure-of.ts';

export interface ExchangeLimits {
  /** From the moment that it has a connection, opening that included. To wait for one may take as long once more. */
  readonly timeoutMs: number;
  readonly bodyBytesMax: number;
}

export interface Exchange {
  readonly response: Promise<HttpResponse>;
  /** Ends it now, if it has not ended. */
  readonly fail: (failure: Error) => void;
}

type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

const headersOf = (received: AnswerHeaders): Record<string, string> => {
  const entries = Object.entries(received).map(([name, value = '']) => [
    name,
    Array.isArray(value) ? value.join(', ') : value,
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
};

/** One request and its answer, on the lowest level of the driver: a stream for each body would cost more than the rest. */
export function startExchange(
  connections: Connections,
  request: Dispatcher.DispatchOptions,
  { timeoutMs, bodyBytesMax }: ExchangeLimits,
): Exchange {
  let fail: Exchange['fail'] = () => undefined;
  const response = new Promise<HttpResponse>((resolve, reject) => {
    let isSettled = false;
    let status = 0;
    let headers: AnswerHeaders = {};
    const bytes = createBodyBytes(bodyBytesMax);
    let leave: ((reason: Error) => void) | undefined;
    let timer: NodeJS.Timeout | undefined;

    const settle = (): void => {
      isSettled = true;
      clearTimeout(timer);
    };
    const answer = (truncated: boolean): void => {
      settle();
      resolve({ status, headers: headersOf(headers), body: bytes.read(), truncated });
    };
    fail = (failure) => {
      if (isSettled) return;
      settle();
      reject(failure);
      leave?.(failure);
    };
    const failLater = (reason: HttpFailure['reason'], what: string): void => {
      clearTimeout(timer);
      timer = setTimeout(() => fail(new HttpFailure(reason, new Error(`${what} for ${timeoutMs} ms`))), timeoutMs);
    };

    const sendOver = (client: Client): void => {
      leave = (reason) => connections.drop(client, reason);
      failLater('timeout', 'no whole answer');
      client.dispatch(request, {
        onRequestStart: () => undefined, // by this one the driver knows which kind of handler this is
        // Called for each interim answer (1xx) too: the last one counts.
        onResponseStart: (_, statusCode, received) => {
          status = statusCode;
          headers = received;
        },
        onResponseData: (_, chunk) => {
          if (isSettled || bytes.add(chunk)) return;
          answer(true);
          leave?.(new Error(`more than ${bodyBytesMax} bytes are not read`));
        },
        onResponseEnd: () => {
          if (isSettled) return;
          answer(false);
          connections.giveBack(client);
        },
        onResponseError: (_, error) => fail(failureOf(error)),
      });
    };
    const stopWaiting = connections.take(sendOver);
    if (leave !== undefined) return;
    leave = stopWaiting;
    // Nothing was sent, so the receiver is not late; as a failure of the network it is tried again like any other.
    failLater('network', 'no connection was free');
  });
  return { response, fail };
}
