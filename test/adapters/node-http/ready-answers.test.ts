import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ClosingResponse } from '../../../src/adapters/node-http/closing-response.ts';
import { type HttpServer, serveHttp } from '../../../src/adapters/node-http/serve-http.ts';
import { eventually } from '../../spec/eventually.ts';
import { createKeptLog } from '../../spec/kept-log.ts';
import { connectRaw } from './raw-client.ts';
import { problem } from './test-server.ts';

/** With its head it is one piece, but nearly two. */
const bodyBytes = 12_000;
/** Each client's answers are made of its own letter. */
const bodies = new Map(['a', 'b'].map((letter) => [letter, Buffer.alloc(bodyBytes, letter)]));

let server: HttpServer;
let responses: ClosingResponse[];
beforeEach(async () => {
  responses = [];
  server = await serveHttp({
    port: 0,
    host: '127.0.0.1',
    log: createKeptLog(),
    problem,
    listener: ({ url = '' }, response) => {
      responses.push(response);
      if (url !== '/later') response.endReady(200, 'X-One: 1\r\n', bodies.get(url.slice(1))!);
    },
  });
});
afterEach(() => server.close());

const ask = (letter: string, headers = ''): string => `GET /${letter} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;
const last = 'Connection: close\r\n';

/** The bodies of answers that came one behind the other. */
const bodiesIn = (received: string): string[] =>
  received
    .split('HTTP/1.1 200 OK\r\n')
    .slice(1)
    .map((answer) => answer.slice(answer.indexOf('\r\n\r\n') + 4));

const expectBodies = (received: string, letters: string): void => {
  const found = bodiesIn(received).map((body) => (body === body[0]?.repeat(bodyBytes) ? body[0] : 'another one'));
  expect(found.join('')).toBe(letters);
};

it('what a client has not taken yet stays as it is, whatever is sent to others', async () => {
  const slow = connectRaw(server.port);
  slow.socket.pause();
  const isHeldUp = (): boolean => (responses.at(-1)?.writableLength ?? 0) > 0;
  while (!isHeldUp()) {
    const asked = responses.length + 1;
    slow.send(ask('a'));
    await eventually('the request is answered', () => responses.length === asked, { everyMs: 0 });
  }
  const asked = responses.length + 1;
  const other = connectRaw(server.port);
  other.send(ask('b', last));
  expectBodies(await other.closed, 'b');
  slow.send(ask('a', last));
  slow.socket.resume();
  expectBodies(await slow.closed, 'a'.repeat(asked));
});

it('answers leave in the order of their requests, though the later ones are ready and the first one is not', async () => {
  const client = connectRaw(server.port);
  client.send(`${ask('later')}${ask('a')}${ask('b')}${ask('a', last)}`);
  await eventually('all were asked for', () => responses.length === 4);
  responses[0]!.endReady(200, '', bodies.get('b')!);
  expectBodies(await client.closed, 'baba');
});

it('answers that wait for a client who asks and does not read are no copies', async () => {
  const requests = 500;
  const client = connectRaw(server.port);
  client.socket.pause();
  const before = process.memoryUsage().arrayBuffers;
  client.send(ask('later') + ask('a').repeat(requests - 2) + ask('b', last));
  await eventually('all were asked for', () => responses.length === requests);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan((requests * bodyBytes) / 4);
  responses[0]!.endReady(200, '', bodies.get('b')!);
  client.socket.resume();
  expectBodies(await client.closed, `b${'a'.repeat(requests - 2)}b`);
});
