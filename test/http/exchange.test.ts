import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ClosingResponse } from '../../src/adapters/node-http/closing-response.ts';
import { type HttpServer, serveHttp } from '../../src/adapters/node-http/serve-http.ts';
import { createReadExchange, type ReadExchange } from '../../src/http/exchange.ts';
import { createKeptLog } from '../spec/kept-log.ts';

let server: HttpServer;
let answer: (exchange: ReadExchange, response: ClosingResponse) => void;

beforeEach(async () => {
  server = await serveHttp({
    port: 0,
    host: '127.0.0.1',
    log: createKeptLog(),
    problem: () => ({ status: 400, headers: {}, body: '' }),
    listener: (request, response) => {
      const addressed = { path: request.url ?? '', querystring: '', params: {} };
      response.setHeader('X-Before', 'it');
      answer(createReadExchange(request, response, addressed), response);
    },
  });
});
afterEach(() => server.close());

const ask = async () => {
  const response = await fetch(server.url);
  return { status: response.status, headers: response.headers, text: await response.text() };
};

it('an answer says each thing once, the last time that it was said, and nothing of what was taken back', async () => {
  answer = (exchange) => {
    exchange.set('Vary', 'Accept');
    exchange.set({ VARY: 'Origin', ETag: '"a"', 'Content-Type': 'text/plain' });
    exchange.remove('etag');
    expect(() => exchange.set('Link', 'a\r\nX-Other: b')).toThrow('cannot be sent');
    exchange.status = 200;
    exchange.body = Buffer.from('ä');
    exchange.send();
  };
  const { headers, ...said } = await ask();
  expect(said).toEqual({ status: 200, text: 'ä' });
  const named = ['vary', 'etag', 'content-type', 'content-length', 'x-before', 'link', 'x-other'];
  expect(named.map((name) => headers.get(name))).toEqual(['Origin', null, 'text/plain', '2', 'it', null, null]);
});

it.each([204, 304, 308])('an answer with %i says nothing of a content that it has not', async (status) => {
  answer = (exchange) => {
    exchange.set({ 'Content-Type': 'text/plain', Location: '/other' });
    exchange.status = status;
    exchange.body = status === 308 ? null : Buffer.from('x');
    exchange.send();
  };
  const response = await fetch(server.url, { redirect: 'manual' });
  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([status, null, '']);
  expect(response.headers.get('content-length')).toBe(status === 308 ? '0' : null);
});

it('what was answered already, because it took too long, is not answered again', async () => {
  answer = (exchange, response) => {
    response.writeHead(503).write('aw');
    exchange.status = 200;
    exchange.body = Buffer.from('late');
    exchange.send();
    response.end('ay');
  };
  for (let times = 0; times < 2; times += 1) {
    const { status, text } = await ask();
    expect([status, text]).toEqual([503, 'away']);
  }
});
