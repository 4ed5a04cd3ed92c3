import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startHttpServer } from '../../src/compose/http-server.ts';
import { createListener } from '../../src/http/listener.ts';
import { createRateLimiter } from '../../src/http/middleware/rate-limit.ts';
import { createRequestMeter } from '../../src/http/request-meter.ts';
import { connectRaw } from '../adapters/node-http/raw-client.ts';
import { eventually } from '../spec/eventually.ts';
import { createFakeClock } from '../spec/fake-clock.ts';
import { createKeptLog } from '../spec/kept-log.ts';

const ids = { commandId: () => 'command', requestId: () => 'request' };

/** The store of counts does not answer before a test says so. `/broken` is an app that fails before it answers. */
async function startSlowLook() {
  let looks = 0;
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const asked: string[] = [];
  const log = createKeptLog();
  const rateLimiter = createRateLimiter({
    limits: { anonymous: 100, account: 100, token: 100 },
    trustedProxies: [],
    isCounted: () => true,
    secretKey: new Uint8Array(32).fill(7),
    requestCounts: {
      exchange: async () => [],
      look: async () => {
        looks += 1;
        await released;
        return [];
      },
    },
    clock: createFakeClock(),
    runLater: () => undefined,
    log,
  });
  const server = await startHttpServer({ port: 0, host: '127.0.0.1', trustedOrigins: [], log });
  server.answerWith(
    createListener({
      app: ({ url = '' }, response) => {
        asked.push(url);
        if (url === '/broken') throw new Error('nobody foresaw it');
        response.end('answered');
      },
      hasRoute: () => true,
      sendReady: (request, response, verdict, goOn) => {
        goOn(request, response, verdict);
        return undefined;
      },
      rateLimiter,
      trustedOrigins: [],
      ids,
      meter: createRequestMeter(
        [],
        () => 0,
        () => undefined,
      ),
      log,
    }),
  );
  return {
    ...server,
    asked,
    release,
    looks: () => looks,
    errors: () => log.lines.filter(({ level }) => level === 'error').map(({ sentence }) => sentence),
  };
}

let server: Awaited<ReturnType<typeof startSlowLook>>;

beforeEach(async () => {
  server = await startSlowLook();
});
afterEach(async () => {
  server.release();
  await server.close();
});

describe('a request that waits for what other processes counted', () => {
  it('is not taken any more when its body broke meanwhile: that was answered', async () => {
    const client = connectRaw(server.port, { hangsUp: false });
    client.send('POST /v1/orgs HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
    await eventually('it waits', () => server.looks() === 1);
    client.send('zz\r\n');
    await eventually('it is refused', () => client.received().startsWith('HTTP/1.1 400 '));
    const next = fetch(`${server.url}/next`);
    server.release();
    expect(await (await next).text()).toBe('answered');
    client.socket.destroy();
    expect([server.asked, server.errors()]).toEqual([['/next'], []]);
  });

  it('is answered and logged when it fails before anything answers it', async () => {
    const broken = fetch(`${server.url}/broken`, { signal: AbortSignal.timeout(20_000) }); // who is forgotten is told so
    await eventually('it waits', () => server.looks() === 1);
    server.release();
    const answer = await broken;
    expect([answer.status, answer.headers.get('x-service-request-id')]).toEqual([500, 'request']);
    expect(answer.headers.get('ratelimit')).toMatch(/^"anonymous";r=99;t=\d+$/);
    expect(await answer.json()).toMatchObject({ error: { code: 'internal_error' } });
    expect(server.errors()).toEqual(['a request failed']);
    expect(await (await fetch(`${server.url}/next`)).text()).toBe('answered');
    expect((await fetch(`${server.url}/broken`)).status).toBe(500); // also when it need not wait
    expect(server.errors()).toHaveLength(2);
  });
});
