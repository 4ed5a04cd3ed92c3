import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClosingResponse } from '../../../src/adapters/node-http/closing-response.ts';
import { type HttpServer, serveHttp } from '../../../src/adapters/node-http/serve-http.ts';
import { createKeptLog } from '../../spec/kept-log.ts';
import { connectRaw } from './raw-client.ts';
import { problem } from './test-server.ts';

const body = Buffer.from('{"some":"bytes"}');
const lines = 'X-One: 1\r\nETag: "tag"\r\n';

const isBodyless = (status: number): boolean => status === 204 || status === 304;

/** How an answer is sent, by the first part of the path; the second one is its status. */
const ways: Readonly<Record<string, (response: ClosingResponse, status: number) => void>> = {
  documented: (response, status) => {
    const fields = ['X-One', '1', 'ETag', '"tag"'];
    if (isBodyless(status)) response.writeHead(status, fields).end();
    else response.writeHead(status, [...fields, 'Content-Length', String(body.length)]).end(body);
  },
  ready: (response, status) => {
    response.endReady(status, lines, isBodyless(status) ? null : body);
  },
  // As in a Node that does it in another way.
  otherNode: (response, status) => {
    response._storeHeader = undefined;
    Reflect.set(response, 'writeHead', (documented: number) => {
      Reflect.deleteProperty(response, '_storeHeader');
      Reflect.deleteProperty(response, 'writeHead');
      return response.writeHead(documented);
    });
    ways['ready']!(response, status);
  },
};

let server: HttpServer;
beforeEach(async () => {
  server = await serveHttp({
    port: 0,
    host: '127.0.0.1',
    log: createKeptLog(),
    problem,
    // A connection that should have ended soon does, so that its answer can be looked at.
    limits: { requestsPerConnectionMax: 2, keepAliveMs: 1_000 },
    listener: ({ url = '' }, response) => {
      const [, way = '', status] = url.split('/');
      ways[way]!(response, Number(status));
    },
  });
});
afterEach(() => server.close());

const close = 'Connection: close\r\n';
const requests: Readonly<Record<string, (path: string) => string>> = {
  'the last one of a connection': (path) =>
    `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\nGET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`,
  'one that ends its connection': (path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n${close}\r\n`,
  'one of HTTP/1.0': (path) => `GET ${path} HTTP/1.0\r\n\r\n`,
  'one whose body has not arrived': (path) => `GET ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n`,
  'one that waits to be told to go on': (path) =>
    `GET ${path} HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n`,
  'one without a body that waits for it': (path) => `GET ${path} HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n`,
  'a HEAD': (path) => `HEAD ${path} HTTP/1.1\r\nHost: a\r\n${close}\r\n`,
};

/** Fields may come in another order. */
const answersIn = (received: string): unknown[] =>
  received.split(/(?=HTTP\/1\.1 )/).map((answer) => {
    const [head = '', text] = answer.split('\r\n\r\n');
    const fields = head.split('\r\n').map((line) => (/^[A-Z]+\//.test(line) ? line : line.toLowerCase()));
    return [fields.filter((line) => !line.startsWith('date:')).sort(), /\r\ndate: /i.test(head), text];
  });

const received = async (way: string, status: number, request: (path: string) => string) => {
  const client = connectRaw(server.port);
  client.send(request(`/${way}/${status}`));
  return answersIn(await client.closed);
};

describe('a head that is ready is sent as Node would send it, to', () => {
  it.each(Object.entries(requests))('%s', async (_, request) => {
    for (const status of [200, 204, 304, 429]) {
      const usual = await received('documented', status, request);
      expect(JSON.stringify(usual)).toContain(`HTTP/1.1 ${status} `);
      for (const way of ['ready', 'otherNode'])
        expect([way, await received(way, status, request)]).toEqual([way, usual]);
    }
  });
});
