import { Client } from 'undici';
import { afterEach, expect, it } from 'vitest';
import { createConnections } from '../../../src/adapters/undici/connections.ts';
import { startExchange } from '../../../src/adapters/undici/exchange.ts';
import { eventually } from '../../spec/eventually.ts';
import { createReceivers } from './receivers.ts';
import { ok } from './use-client.ts';

const receivers = createReceivers();

afterEach(() => receivers.closeAll());

it('a connection that the receiver has closed is forgotten, and the next request opens another', async () => {
  const { url, sockets } = await receivers.http(ok);
  const opened: Client[] = [];
  const open = (): Client => {
    const client = new Client(url);
    opened.push(client);
    return client;
  };
  const connections = createConnections(open, 10);
  const exchange = () =>
    startExchange(connections, { method: 'GET', path: '/' }, { timeoutMs: 30_000, bodyBytesMax: 100 }).response;

  await Promise.all([exchange(), exchange(), exchange()]);
  expect(opened.map(({ destroyed }) => destroyed)).toEqual([false, false, false]);
  for (const socket of sockets) socket.destroy();
  await eventually('they are forgotten', () => opened.every(({ destroyed }) => destroyed));
  expect((await exchange()).status).toBe(200);
  expect(opened.length).toBe(4);
  connections.retire();
});
