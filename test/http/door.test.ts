import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectRaw } from '../adapters/node-http/raw-client.ts';
import { eventually } from '../spec/eventually.ts';
import { type HttpService, rootApiKey, startHttpService, trustedOrigin } from '../spec/http/http-service.ts';

let service: HttpService;

beforeAll(async () => {
  service = await startHttpService();
});
afterAll(() => service.close());

const hostLine = 'Host: registry.example\r\n';
const keyLine = `Authorization: Bearer ${rootApiKey}\r\n`;
const jsonLine = 'Content-Type: application/json\r\n';
const post = (headers: string) => `POST /v1/orgs HTTP/1.1\r\n${hostLine}${headers}\r\n`;

/** The answers on a connection, in order. */
const answersIn = (received: string) =>
  received
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter((text) => text !== '')
    .map((text) => {
      const [head = '', body = ''] = text.split('\r\n\r\n');
      const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(head) ?? [];
      const lines = head.split('\r\n').slice(1);
      const headers = new Headers(lines.map((line): [string, string] => line.split(/: (.*)/s, 2) as [string, string]));
      return { status: Number(status), headers, body: body === '' ? null : JSON.parse(body) };
    });

async function answersTo(...parts: readonly string[]) {
  const client = connectRaw(service.port);
  for (const [index, part] of parts.entries()) {
    client.send(part);
    if (index < parts.length - 1) await eventually('an answer', () => client.received() !== '');
  }
  return answersIn(await client.closed);
}

describe('a request gets one answer', () => {
  it.each([
    ['without a credential', '', 401],
    ['with a body that is too large', `${keyLine}${jsonLine}`, 413],
  ])('%s, whatever comes behind it', async (_, headers, status) => {
    const length = status === 413 ? 'Content-Length: 2000000\r\n' : 'Transfer-Encoding: chunked\r\n';
    const answers = await answersTo(post(`${headers}${length}`), 'zz\r\nGARBAGE\r\n\r\n');
    expect(answers.map((answer) => answer.status)).toEqual([status]);
    expect(answers[0]?.headers.get('connection')).toBe('close');
  });

  it('when it breaks off', async () => {
    const [answer, ...others] = await answersTo(
      post(`${keyLine}${jsonLine}Transfer-Encoding: chunked\r\n`) + '5\r\n{"nam\r\nzz\r\n',
    );
    expect(others).toEqual([]);
    expect(answer?.status).toBe(400);
  });
});

describe('a connection', () => {
  it('serves many requests, also refused ones that have arrived as a whole', async () => {
    const refused = post('Content-Length: 12\r\n');
    const client = connectRaw(service.port);
    client.send(`${refused}{"name":"x"}GET /v1/orgs/nobody HTTP/1.1\r\n${hostLine}\r\n`);
    client.send(`GET /v1/orgs HTTP/1.1\r\n${hostLine}Connection: close\r\n\r\n`);
    expect(answersIn(await client.closed).map(({ status }) => status)).toEqual([401, 404, 200]);
  });
});

describe('what the server itself refuses', () => {
  const limitBytes = 16 * 1024;
  const fields = Array.from({ length: 120 }, (_, index) => `X-${index}: a\r\n`).join('');

  it.each([
    [
      'garbage',
      'GARBAGE\r\n\r\n',
      'validation_failed',
      'The request is not well-formed HTTP: Invalid method encountered.',
    ],
    [
      'HTTP/0.9',
      'GET /v1/orgs\r\n\r\n',
      'validation_failed',
      'The request is HTTP/0.9; this server speaks HTTP/1.1 and HTTP/1.0.',
    ],
    [
      'many header fields',
      post(fields),
      'payload_too_large',
      'The request has 121 header fields; at most 100 are taken.',
    ],
  ])('looks like every other error: %s', async (_, sent, code, message) => {
    const [answer, ...others] = await answersTo(sent);
    expect(others).toEqual([]);
    const isTooLarge = code === 'payload_too_large';
    expect(answer?.body).toEqual({
      error: {
        code,
        type: isTooLarge ? 'too_large' : 'validation',
        message,
        details: isTooLarge ? { limitBytes } : { issues: [{ path: '', message }] },
      },
    });
    const usual = await service.get('/v1/orgs/nobody');
    const byServer = answer?.headers ?? new Headers();
    const own = new Set(['x-service-request-id', 'content-length', 'connection', 'date', 'keep-alive']);
    for (const name of ['ratelimit', 'ratelimit-policy']) own.add(name); // what is no request is not counted
    for (const [name, value] of usual.headers) {
      if (!own.has(name)) expect(byServer.get(name), name).toBe(value);
    }
    expect(byServer.get('x-service-request-id')).not.toBe('');
    expect(byServer.get('x-service-request-id')).not.toBe(usual.headers.get('x-service-request-id'));
  });

  it.each(['http://', 'http://[', 'http://[::1/v1/orgs'])('is what asks for no address: %s', async (target) => {
    const [answer] = await answersTo(`GET ${target} HTTP/1.1\r\n${hostLine}Connection: close\r\n\r\n`);
    const message = `The request asks for \`${target}\`, which is no address.`;
    const { code, message: told } = answer?.body.error ?? {};
    expect([answer?.status, code, told]).toEqual([400, 'validation_failed', message]);
  });

  it.each(['//elsewhere.example/', '/\\elsewhere.example/', '/\\/elsewhere.example/'])(
    'is not answered with the address of another host: %s',
    async (target) => {
      const [answer] = await answersTo(`GET ${target} HTTP/1.1\r\n${hostLine}Connection: close\r\n\r\n`);
      expect([answer?.status, answer?.headers.get('location')]).toEqual([404, null]);
    },
  );

  it('tells a trusted origin that it may see it, and caches that it depends on the origin', async () => {
    const sent = `GET /v1/orgs HTTP/1.1\r\nHost: a b\r\nOrigin: ${trustedOrigin}\r\n\r\n`;
    const [answer] = await answersTo(sent);
    expect(answer?.status).toBe(400);
    expect(answer?.headers.get('access-control-allow-origin')).toBe(trustedOrigin);
    expect(answer?.headers.get('vary')).toMatch(/, Origin$/);
  });
});

describe('a body that waits to be asked for', () => {
  const body = JSON.stringify({ name: 'Asked for' });
  const waiting = (headers: string) =>
    post(`${headers}${jsonLine}Content-Length: ${body.length}\r\nExpect: 100-continue\r\nConnection: close\r\n`);

  it('is asked for where it is read', async () => {
    const client = connectRaw(service.port);
    client.send(waiting(keyLine));
    await eventually('it is asked for', () => client.received().startsWith('HTTP/1.1 100 Continue\r\n\r\n'));
    client.send(body);
    expect(answersIn(await client.closed).map(({ status }) => status)).toEqual([100, 201]);
  });

  it('is not asked for where the request is refused without it', async () => {
    const client = connectRaw(service.port);
    client.send(waiting(''));
    expect(answersIn(await client.closed).map(({ status }) => status)).toEqual([401]);
  });
});
