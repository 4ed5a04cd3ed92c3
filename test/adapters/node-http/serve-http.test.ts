import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { HttpLimits } from '../../../src/adapters/node-http/http-connections.ts';
import { serveHttp } from '../../../src/adapters/node-http/serve-http.ts';
import { StartupError } from '../../../src/kernel/startup-error.ts';
import { eventually } from '../../spec/eventually.ts';
import { createKeptLog } from '../../spec/kept-log.ts';
import { connectRaw, type RawClient } from './raw-client.ts';
import { expectProblem, problem, startTestServer, type TestServer } from './test-server.ts';

let server: TestServer | undefined;

afterEach(async () => {
  server?.release();
  await server?.close();
});

it('a client that takes a long answer slowly is served, and cut off when it takes no more', async () => {
  server = await startTestServer({ idleTimeoutMs: 800, keepAliveMs: 800 });
  const { port, isCut, expectAlive } = server;
  const { socket, send } = connectRaw(port);
  socket.on('data', () => socket.pause());
  send('GET /long HTTP/1.1\r\nHost: a\r\n\r\n');
  const begunMs = performance.now();
  const takesMore = (): boolean => {
    socket.resume();
    return isCut() || performance.now() - begunMs > 2_500;
  };
  await eventually('it was served for three times as long as nothing may move', takesMore, { everyMs: 5 });
  expect(isCut()).toBe(false);
  await eventually('it is cut off', isCut);
  socket.destroy();
  await expectAlive();
});

describe.each([
  ['accepts for itself', undefined],
  ['takes connections that another one could have had', () => false],
])('a server that %s', (_, handOut) => {
  const start = async (limits: Partial<HttpLimits> = {}): Promise<TestServer> => {
    server = await startTestServer(limits, handOut);
    return server;
  };

  describe('slow and half-open clients', () => {
    const limits = { headersTimeoutMs: 100, requestTimeoutMs: 100 };
    const untilRefused = async ({ received, closed }: RawClient): Promise<string> => {
      await eventually('it is refused', () => received() !== '');
      return closed;
    };
    const tooSlow = { code: 'validation_failed', sentence: 'The request took too long to arrive.' } as const;

    it('one that never finishes its headers is refused', async () => {
      const { port, seen, expectAlive } = await start(limits);
      const client = connectRaw(port);
      client.send('GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ');
      expectProblem(await untilRefused(client), tooSlow);
      expect(seen()).toBe(0);
      await expectAlive();
    });

    it('one that says nothing at all is refused', async () => {
      const { port, expectAlive } = await start(limits);
      expectProblem(await untilRefused(connectRaw(port)), tooSlow);
      await expectAlive();
    });

    it('one that never finishes its body is refused', async () => {
      const { port, seen, expectAlive } = await start(limits);
      const client = connectRaw(port);
      client.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf');
      expectProblem(await untilRefused(client), tooSlow);
      expect(seen()).toBe(1);
      await expectAlive();
    });

    it('one on whose connection nothing moves is cut off', async () => {
      const { port, expectAlive } = await start({ idleTimeoutMs: 100 });
      const client = connectRaw(port);
      client.send('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n');
      expect(await client.closed).toBe('');
      await expectAlive();
    });

    it('those who ask no more are cut off, and nobody while he is answered', async () => {
      const { port, release, expectAlive } = await start({ keepAliveMs: 100 });
      const waiting = connectRaw(port);
      const [idle, ...others] = [connectRaw(port), connectRaw(port), connectRaw(port)] as const;
      for (const { send } of [idle, ...others]) send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
      waiting.send('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n');
      await eventually('the idle ones are cut off', () => [idle, ...others].every(({ socket }) => socket.destroyed));
      expect(await idle.closed).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*\r\nKeep-Alive: timeout=[\s\S]*got $/);
      expect(waiting.received()).toBe('');
      release();
      expect(await waiting.closed).toMatch(/got nothing$/);
      await expectAlive();
    });

    it('one that is gone before its request has arrived disturbs nobody', async () => {
      const { port, seen, expectAlive } = await start();
      const client = connectRaw(port);
      client.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf');
      await eventually('the listener has the request', () => seen() === 1);
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
    it('ends with the answer to its last request, and does nothing of what comes behind', async () => {
      const { port, seen, expectAlive } = await start({ requestsPerConnectionMax: 2 });
      const client = connectRaw(port);
      client.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(3));
      const [first, second, ...others] = (await client.closed).split('HTTP/1.1 200 OK').slice(1);
      expect([first, second].map((answer) => /Connection: (.+)\r/.exec(answer ?? '')?.[1])).toEqual([
        'keep-alive',
        'close',
      ]);
      expect([others, seen()]).toEqual([[], 2]);
      await expectAlive();
    });

    it('is not switched to another protocol', async () => {
      const { port } = await start();
      const client = connectRaw(port);
      client.send('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
      await eventually('an ordinary answer', () => client.received().includes('got '));
      expect(client.received()).toMatch(/^HTTP\/1\.1 200 OK/);
      client.socket.destroy();
    });
  });

  describe('close', () => {
    it('lets requests in hand finish and refuses new connections', async () => {
      const { port, url, close, seen, release } = await start();
      const answer = fetch(`${url}/slow`);
      await eventually('the request is in hand', () => seen() === 1);
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
      const { url, close, seen } = await start({ closeTimeoutMs: 50 });
      const answer = fetch(`${url}/slow`);
      await eventually('the request is in hand', () => seen() === 1);
      await Promise.all([close(), expect(answer).rejects.toThrow()]);
    });
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
