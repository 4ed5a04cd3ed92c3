import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createSocketWatch } from '../../src/http/socket-watch.ts';
import { eventually } from '../spec/eventually.ts';

const lost: string[] = [];
const held: ServerResponse[] = [];

const watch = createSocketWatch((_, { url = '' }) => void lost.push(url));

const answer = (request: IncomingMessage, response: ServerResponse): void => {
  watch(request, response);
  if (request.url === '/held') held.push(response);
  else response.end('x');
};

const server = createServer(answer);
// As our own server: what a broken connection was about is told by the watch.
server.on('clientError', (_, socket) => void socket.destroy());

const open = async () => {
  if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
};

const ask = async (socket: Awaited<ReturnType<typeof open>>, path: string) => {
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  if (path !== '/held') await once(socket, 'data');
  else await eventually('the request is there', () => held.length > 0);
};

afterEach(() => {
  server.close();
  server.closeAllConnections();
});

it('tells of the answer that a broken connection waited for, and of no earlier one', async () => {
  const socket = await open();
  await ask(socket, '/first');
  await ask(socket, '/held');
  socket.resetAndDestroy();
  await eventually('it is told', () => lost.length > 0);
  expect(lost).toEqual(['/held']);

  const idle = await open();
  await ask(idle, '/whole');
  const gone = once(server, 'clientError');
  idle.resetAndDestroy();
  await gone;
  expect(lost).toEqual(['/held']);
});
