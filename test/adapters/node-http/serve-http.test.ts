import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type HttpLimits, type HttpServer, serveHttp } from '../../../src/adapters/node-http/serve-http.ts';
import { StartupError } from '../../../src/kernel/startup-error.ts';
import { eventually } from '../../spec/eventually.ts';
import { createKeptLog } from '../../spec/kept-log.ts';
import { connectRaw } from './raw-client.ts';

const statusOf = { validation_failed: 400, payload_too_large: 413 };

const problem = (code: keyof typeof statusOf) => ({
  status: statusOf[code],
  headers: { 'Content-Type': 'application/json; charset=utf-8', 'X-Made-By': 'problem' },
  body: JSON.stringify({ error: { code } }),
});

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
};

let server: HttpServer | undefined;
let seen = 0;
let release: () => void = () => {};

/** `/slow` answers when `release` is called, everything else once its body is there. */
async function start(limits: Partial<HttpLimits> = {}): Promise<HttpServer> {
  seen = 0;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  server = await serveHttp({
    port: 0,
    host: '127.0.0.1',
    log: createKeptLog(),
    problem,
    limits,
    listener: (request, response) => {
      seen += 1;
      const answer = request.url === '/slow' ? released : bodyOf(request);
      answer.then(
        (text) => response.end(`got ${text ?? 'nothing'}`),
        () => response.end('the request was cut off'),
      );
    },
  });
  return server;
}

/** The server still serves others. */
const expectAlive = async (): Promise<void> => {
  const response = await fetch(`${server?.url}/`, { method: 'POST', body: 'alive' });
  expect(await response.text()).toBe('got alive');
};

const expectProblem = (answer: string, code: keyof typeof statusOf): void => {
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${statusOf[code]} `));
  expect(answer).toContain('X-Made-By: problem');
  expect(answer).toContain('Connection: close');
  expect(answer.endsWith(`\r\n\r\n${problem(code).body}`)).toBe(true);
};

afterEach(async () => {
  release();
  await server?.close();
});

describe('what never becomes a request is answered with the envelope, and the server goes on', () => {
  const host = 'Host: registry.example\r\n';
  const cases = [
    { name: 'a malformed request line', sent: 'GARBAGE\r\n\r\n', code: 'validation_failed' },
    { name: 'a malformed header', sent: `GET / HTTP/1.1\r\n${host}no colon\r\n\r\n`, code: 'validation_failed' },
    { name: 'a NUL in a header', sent: `GET / HTTP/1.1\r\n${host}X: a\0b\r\n\r\n`, code: 'validation_failed' },
    { name: 'another protocol', sent: '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', code: 'validation_failed' },
    { name: 'an unknown method', sent: `BREW / HTTP/1.1\r\n${host}\r\n`, code: 'validation_failed' },
    { name: 'no host', sent: 'GET / HTTP/1.1\r\n\r\n', code: 'validation_failed' },
    { name: 'a tunnel', sent: `CONNECT example.com:443 HTTP/1.1\r\n${host}\r\n`, code: 'validation_failed' },
    {
      name: 'an expectation that cannot be met',
      sent: `POST / HTTP/1.1\r\n${host}Expect: a-pony\r\nContent-Length: 2\r\n\r\n{}`,
      code: 'validation_failed',
    },
    {
      name: 'two lengths',
      sent: `POST / HTTP/1.1\r\n${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      code: 'validation_failed',
    },
    {
      name: 'a chunk of no size',
      sent: `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
      code: 'validation_failed',
    },
    {
      name: 'headers over 16 KiB',
      sent: `GET / HTTP/1.1\r\n${host}X: ${'a'.repeat(17 * 1024)}\r\n\r\n`,
      code: 'payload_too_large',
    },
    {
      name: 'a request line over 16 KiB',
      sent: `GET /${'a'.repeat(17 * 1024)} HTTP/1.1\r\n${host}\r\n`,
      code: 'payload_too_large',
    },
  ] as const;

  it.each(cases)('$name', async ({ sent, code }) => {
    const { port } = await start();
    const client = connectRaw(port);
    client.send(sent);
    expectProblem(await client.closed, code);
    await expectAlive();
  });
});

describe('slow and half-open clients', () => {
  const limits = { headersTimeoutMs: 100, requestTimeoutMs: 100 };

  it('one that never finishes its headers is refused', async () => {
    const { port } = await start(limits);
    const client = connectRaw(port);
    client.send('GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ');
    expectProblem(await client.closed, 'validation_failed');
    expect(seen).toBe(0);
    await expectAlive();
  });

  it('one that says nothing at all is refused', async () => {
    const { port } = await start(limits);
    expectProblem(await connectRaw(port).closed, 'validation_failed');
    await expectAlive();
  });

  it('one that never finishes its body is refused', async () => {
    const { port } = await start(limits);
    const client = connectRaw(port);
    client.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf');
    expectProblem(await client.closed, 'validation_failed');
    expect(seen).toBe(1);
    await expectAlive();
  });

  it('one on whose connection nothing moves is cut off', async () => {
    const { port } = await start({ idleTimeoutMs: 100 });
    const client = connectRaw(port);
    client.send('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(await client.closed).toBe('');
    await expectAlive();
  });

  it('one that is gone before its request has arrived disturbs nobody', async () => {
    const { port } = await start();
    const client = connectRaw(port);
    client.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf');
    await eventually('the listener has the request', () => seen === 1);
    client.socket.resetAndDestroy();
    await client.closed;
    await expectAlive();
  });

  it('one that closes its half of the connection still gets its answer', async () => {
    const { port } = await start();
    const client = connectRaw(port);
    client.socket.end('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nConnection: close\r\n\r\nfull');
    expect(await client.closed).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*got full$/);
  });
});

describe('a connection', () => {
  it('is not switched to another protocol', async () => {
    const { port } = await start();
    const client = connectRaw(port);
    client.send('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    await eventually('an ordinary answer', () => client.received().includes('got '));
    expect(client.received()).toMatch(/^HTTP\/1\.1 200 OK/);
    client.socket.destroy();
  });

  it('never gets a second answer into the first', async () => {
    const { port } = await start();
    const client = connectRaw(port);
    client.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await eventually('the answer', () => client.received().includes('got '));
    const first = client.received();
    client.send('GARBAGE\r\n\r\n');
    const all = await client.closed;
    expect(all.startsWith(first)).toBe(true);
    expectProblem(all.slice(first.length), 'validation_failed');
  });
});

describe('close', () => {
  it('lets requests in hand finish and refuses new connections', async () => {
    const { port, url, close } = await start();
    const answer = fetch(`${url}/slow`);
    await eventually('the request is in hand', () => seen === 1);
    const silent = connectRaw(port);
    const closing = close();
    await expect(fetch(url)).rejects.toThrow();
    release();
    const response = await answer;
    expect(response.headers.get('connection')).toBe('close');
    expect(await response.text()).toBe('got nothing');
    await closing;
    await silent.closed;
  });

  it('closes kept connections at once', async () => {
    const { url, close } = await start();
    await (await fetch(url)).text();
    await close();
    await expect(fetch(url)).rejects.toThrow();
  });

  it('cuts what does not finish in time', async () => {
    const { url, close } = await start({ closeTimeoutMs: 50 });
    const answer = fetch(`${url}/slow`);
    await eventually('the request is in hand', () => seen === 1);
    await Promise.all([close(), expect(answer).rejects.toThrow()]);
  });
});

describe('a server that cannot listen says why', () => {
  const tryListen = (host: string, port: number) =>
    serveHttp({ host, port, problem, log: createKeptLog(), listener: () => {} });

  it('port in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const failure = await tryListen('127.0.0.1', port).catch((error: unknown) => error);
    other.close();
    expect(failure).toBeInstanceOf(StartupError);
    expect((failure as Error).message).toMatch(new RegExp(`^Port ${port} of 127\\.0\\.0\\.1 is in use .*PORT`));
  });

  it('an address of another machine', async () => {
    await expect(tryListen('192.0.2.1', 0)).rejects.toThrow(/192\.0\.2\.1 is no address of this machine.*HOST/);
  });
});
