import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from 'undici';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Connections, createConnections } from '../../../src/adapters/undici/connections.ts';
import { startExchange } from '../../../src/adapters/undici/exchange.ts';
import type { HttpResponse } from '../../../src/ports/http-client.ts';
import { failure } from './use-client.ts';

const timeoutMs = 10_000;

let server: Server;
let connections: Connections;

beforeEach(async () => {
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  connections = createConnections(() => new Client(`http://127.0.0.1:${port}`), 1);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(async () => {
  vi.useRealTimers();
  connections.retire();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const start = (withinMs = timeoutMs): Promise<HttpResponse> =>
  startExchange(connections, { method: 'GET', path: '/' }, { timeoutMs: withinMs, bodyBytesMax: 1_000 }).response;

/** The next request that the receiver gets: what it answers with. */
const received = async (): Promise<ServerResponse> => {
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
  return response;
};

it('the receiver has all its time after the wait for a connection', async () => {
  const firstReceived = received();
  const first = start(3 * timeoutMs);
  const second = start();
  const toFirst = await firstReceived;
  vi.advanceTimersByTime(timeoutMs - 1);
  const secondReceived = received();
  toFirst.end();
  expect((await first).status).toBe(200);
  const toSecond = await secondReceived;
  vi.advanceTimersByTime(timeoutMs - 1);
  toSecond.end();
  expect((await second).status).toBe(200);
});

it('and no more than that', async () => {
  const firstReceived = received();
  const first = start(3 * timeoutMs);
  const second = start();
  const toFirst = await firstReceived;
  vi.advanceTimersByTime(timeoutMs - 1);
  const secondReceived = received();
  toFirst.end();
  await Promise.all([first, secondReceived]);
  vi.advanceTimersByTime(timeoutMs);
  await expect(second).rejects.toEqual(failure('timeout'));
});

it('who waits that long gives up, and the receiver, who got nothing, is not said to be late', async () => {
  const firstReceived = received();
  const first = start(3 * timeoutMs);
  const toFirst = await firstReceived;
  const second = start();
  vi.advanceTimersByTime(timeoutMs);
  await expect(second).rejects.toEqual(failure('network'));
  const third = start();
  const nextReceived = received();
  toFirst.end();
  (await nextReceived).end();
  expect((await first).status).toBe(200);
  expect((await third).status).toBe(200); // the one request that came was not the second
});
