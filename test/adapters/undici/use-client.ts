import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect } from 'vitest';
import { createHttpClient } from '../../../src/adapters/undici/http-client.ts';
import type { HttpClient, HttpFailure, HttpRequest, HttpResponse } from '../../../src/ports/http-client.ts';
import { createReceivers, type Receiver } from './receivers.ts';

export const ok = (_: IncomingMessage, response: ServerResponse): void => void response.end('ok');

/** What a promise that fails for this reason is rejected with. */
export const failure = (reason: HttpFailure['reason']): HttpFailure =>
  expect.objectContaining({ name: 'HttpFailure', reason }) as HttpFailure;

/** A client of its own for each test, and receivers for it. */
export const useClient = () => {
  let client: HttpClient;
  const receivers = createReceivers();

  beforeEach(() => {
    client = createHttpClient();
  });

  afterEach(async () => {
    await client.close();
    await receivers.closeAll();
  });

  /** Holds its answers back until it is told. */
  const holdingReceiver = async (): Promise<
    Receiver & { held: { host: string | undefined; answer: () => void }[] }
  > => {
    const held: { host: string | undefined; answer: () => void }[] = [];
    const receiver = await receivers.http((request, response) => {
      held.push({ host: request.headers.host, answer: () => void response.end('ok') });
    });
    return { ...receiver, held };
  };

  return {
    receivers,
    holdingReceiver,
    send: (url: string, request: Partial<HttpRequest> = {}): Promise<HttpResponse> =>
      client.send({ method: 'GET', url, headers: {}, timeoutMs: 30_000, bodyBytesMax: 1_000, ...request }),
    close: () => client.close(),
  };
};
