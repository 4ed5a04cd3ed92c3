import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectRaw } from './raw-client.ts';
import { expectProblem, startTestServer, type TestServer } from './test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const host = 'Host: registry.example\r\n';
const get = (headers: string) => `GET / HTTP/1.1\r\n${headers}\r\n`;
const fields = (count: number) => Array.from({ length: count }, (_, index) => `X-${index}: a\r\n`).join('');

describe('what is no good request is refused with what is wrong, and the server goes on', () => {
  const invalidMethod = 'The request is not well-formed HTTP: Invalid method encountered.';
  it.each([
    ['a malformed request line', 'GARBAGE\r\n\r\n', invalidMethod],
    ['an unknown method', `BREW / HTTP/1.1\r\n${host}\r\n`, invalidMethod],
    ['another protocol', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', invalidMethod],
    ['a malformed header', get(`${host}no colon\r\n`), 'The request is not well-formed HTTP: Invalid header token.'],
    ['a NUL in a header', get(`${host}X: a\0b\r\n`), 'The request is not well-formed HTTP: Invalid header value char.'],
    ['no host', get(''), 'The request has no `Host` field, which HTTP/1.1 demands.'],
    ['two hosts', get(`${host}HOST: other.example\r\n`), 'The request has 2 `Host` fields; it must have one.'],
    ...['', 'a b', 'http://a.example', 'a.example/path', 'me@a.example', 'a.example:http', 'a:65536', '[::1'].map(
      (value) => [
        `the host ${JSON.stringify(value)}`,
        get(`Host: ${value}\r\n`),
        `\`Host\` must be a host with or without a port; it was \`${value}\`.`,
      ],
    ),
    ['HTTP/0.9', 'GET /\r\n\r\n', 'The request is HTTP/0.9; this server speaks HTTP/1.1 and HTTP/1.0.'],
    [
      'HTTP/2.0 by name',
      `GET / HTTP/2.0\r\n${host}\r\n`,
      'The request is HTTP/2.0; this server speaks HTTP/1.1 and HTTP/1.0.',
    ],
    [
      'a tunnel',
      `CONNECT example.com:443 HTTP/1.1\r\n${host}\r\n`,
      'This server makes no tunnels: `CONNECT` is not served.',
    ],
    [
      'an expectation that cannot be met',
      `POST / HTTP/1.1\r\n${host}Expect: a-pony\r\nContent-Length: 2\r\n\r\n{}`,
      '`Expect` may only be `100-continue`; it was `a-pony`.',
    ],
    [
      'two lengths',
      `POST / HTTP/1.1\r\n${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      "The request is not well-formed HTTP: Transfer-Encoding can't be present with Content-Length.",
    ],
    [
      'a chunk of no size',
      `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
      'The request is not well-formed HTTP: Invalid character in chunk size.',
    ],
  ])('%s', async (_, sent, sentence) => {
    const client = connectRaw(server.port);
    client.send(sent);
    expectProblem(await client.closed, { code: 'validation_failed', sentence });
    await server.expectAlive();
  });

  const tooLong = 'The request line and the headers have more than 16384 bytes.';
  it.each([
    ['headers over 16 KiB', get(`${host}X: ${'a'.repeat(17 * 1024)}\r\n`), tooLong],
    ['a request line over 16 KiB', `GET /${'a'.repeat(17 * 1024)} HTTP/1.1\r\n${host}\r\n`, tooLong],
    [
      'more than 100 header fields',
      get(`${host}${fields(100)}`),
      'The request has 101 header fields; at most 100 are taken.',
    ],
  ])('%s', async (_, sent, sentence) => {
    const client = connectRaw(server.port);
    client.send(sent);
    expectProblem(await client.closed, { code: 'payload_too_large', sentence });
    await server.expectAlive();
  });
});

describe('what may look odd is taken', () => {
  it.each([
    ['100 header fields', get(`${host}${fields(98)}Connection: close\r\n`)],
    ['HTTP/1.0 without a host', 'GET / HTTP/1.0\r\n\r\n'],
    ['an address as host', get('Host: 127.0.0.1:8080\r\nConnection: close\r\n')],
    ['an IPv6 address as host', get('Host: [::1]:80\r\nConnection: close\r\n')],
    ['a whole address as target', `GET http://a.example/ HTTP/1.1\r\nConnection: close\r\n${host}\r\n`],
  ])('%s', async (_, sent) => {
    const client = connectRaw(server.port);
    client.send(sent);
    expect(await client.closed).toMatch(/^HTTP\/1\.1 200 OK/);
  });
});
