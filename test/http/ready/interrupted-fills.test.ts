import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHttpApp, type HttpApp, type HttpOptions } from '../../../src/compose/http-app.ts';
import { createProjectedStamp, type ProjectedStamp } from '../../../src/compose/threads/projected-stamp.ts';
import { BackendUnavailable } from '../../../src/kernel/backend-unavailable.ts';
import { eventually } from '../../spec/eventually.ts';
import {
  type HttpService,
  noLookups,
  rootApiKey,
  startHttpService,
  webBaseUrl,
  wideLimits,
} from '../../spec/http/http-service.ts';
import { createTestReleases } from '../../spec/http/preamble.ts';
import { type ServedApp, serveApp } from '../../spec/http/serve-app.ts';

const path = '/v1/orgs/acme/releases';

let service: HttpService;
let served: ServedApp & Pick<HttpApp, 'cache'>;
/** A touch of it makes all that is kept old. */
let stamp: ProjectedStamp;
/** What stands before the read models; nothing does when it is null. */
let gate: (() => Promise<void>) | null;
let isReached: boolean;

async function serve(options: Partial<HttpOptions> = {}): Promise<typeof served> {
  const { registry } = service;
  const current = async () => {
    await gate?.();
    return registry.live.current();
  };
  stamp = createProjectedStamp();
  const app = await createHttpApp(
    { ...registry, projected: stamp, live: { ...registry.live, current } },
    {
      rootApiKey,
      secretKey: new Uint8Array(32),
      webBaseUrl,
      trustedOrigins: [],
      lookups: noLookups,
      rateLimits: wideLimits,
      ...options,
    },
  );
  return { ...(await serveApp(app)), cache: app.cache };
}

beforeAll(async () => {
  service = await startHttpService();
  await createTestReleases(service, 'Acme', 3);
});
afterAll(() => service.close());

beforeEach(async () => {
  gate = null;
  isReached = false;
  served = await serve();
});
afterEach(() => served.close());

const ask = async (asked = path) => {
  const response = await fetch(`${served.url}${asked}`);
  return { status: response.status, cache: response.headers.get('x-cache'), text: await response.text() };
};

/** Shuts the way to the read models until it is called. */
function shut(): () => void {
  let open = () => undefined as void;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  gate = () => {
    isReached = true;
    return opened;
  };
  return () => {
    gate = null;
    open();
  };
}

/** Asks and hangs up before there is an answer. */
async function hangUp(): Promise<void> {
  const { misses } = served.cache();
  const socket = connect({ port: served.port, host: '127.0.0.1' });
  socket.write(`GET ${path} HTTP/1.1\r\nHost: registry.example\r\n\r\n`);
  // A look at what others have written may come to the read models first: a miss is counted when the answer is begun.
  await eventually('it is being made', () => isReached && served.cache().misses > misses);
  socket.destroy();
}

describe('an answer that is being made', () => {
  it('is there for all others when the one who asked first hangs up', async () => {
    const { text } = await ask();
    stamp.announce(null);
    const open = shut();
    await hangUp();
    const others = Promise.all([ask(), ask(), ask()]);
    open();
    for (const answer of await others) expect([answer.status, answer.text]).toEqual([200, text]);
    expect(await ask()).toEqual({ status: 200, cache: 'HIT', text });
  });

  it('is not stale when the one who asked hangs up and something is written meanwhile', async () => {
    await ask();
    stamp.announce(null);
    const open = shut();
    await hangUp();
    stamp.announce(null);
    open();
    expect((await ask()).cache).toBe('MISS');
  });

  it('fails for all who wait for it when the read models go away, and is made anew when they are back', async () => {
    const { text } = await ask();
    stamp.announce(null);
    gate = () => Promise.reject(new BackendUnavailable('MongoDB'));
    for (const answer of await Promise.all([ask(), ask(), ask()])) {
      expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([503, 'service_unavailable']);
    }
    gate = null;
    expect(await ask()).toEqual({ status: 200, cache: 'MISS', text });
    expect(await ask()).toEqual({ status: 200, cache: 'HIT', text });
  });
});

it('nothing is kept where no memory is given for it', async () => {
  await served.close();
  served = await serve({ readyAnswersMib: 0 });
  const [first, second] = [await ask(), await ask()];
  expect([first.cache, second]).toEqual(['MISS', first]);
  expect(served.cache().bytes).toBe(0);
});

it('what is asked for once is not kept where much is, but for the latest releases', async () => {
  await served.close();
  served = await serve({ readyAnswersMib: 1 });
  const cacheOf = async (asked: string) => (await ask(asked)).cache;
  const page = (limit: number) => `${path}?limit=${limit}`;
  expect([await cacheOf(page(1)), await cacheOf(page(1))]).toEqual(['MISS', 'HIT']);
  let limit = 1;
  await eventually('much is kept', async () => {
    await cacheOf(page((limit += 1)));
    return served.cache().bytes >= 2 ** 19;
  });
  // What is kept is found, however its address is written.
  for (const other of ['utm_source=x&limit=1', 'limit=1&utm_source=y', 'limit=1&cursor=']) {
    expect([other, await cacheOf(`${path}?${other}`)]).toEqual([other, 'HIT']);
  }
  const { bytes, misses } = served.cache();
  expect(await cacheOf(page(limit + 1))).toBe('MISS');
  expect(served.cache()).toMatchObject({ bytes, misses: misses + 1 });
  expect([await cacheOf(page(limit + 1)), await cacheOf(page(limit + 1))]).toEqual(['MISS', 'HIT']);
  const latest = '/v1/releases/latest';
  expect([await cacheOf(latest), await cacheOf(latest)]).toEqual(['MISS', 'HIT']);
  const made = await fetch(`${served.url}${page(limit + 2)}`);
  const kept = await fetch(`${served.url}${page(1)}`);
  const told = ({ headers }: Response) => ['cache-control', 'content-type', 'vary'].map((name) => headers.get(name));
  expect([made.headers.get('x-cache'), told(made)]).toEqual(['MISS', told(kept)]);
});

it('the latest releases stay kept where others that are asked for more drive each other out', async () => {
  await served.close();
  served = await serve({ readyAnswersMib: 1 });
  let limit = 0;
  const askForNext = async (times: number) => {
    limit += 1;
    for (let time = 0; time < times; time += 1) await ask(`${path}?limit=${limit}`);
  };
  await eventually('there is hardly any room', async () => {
    await askForNext(2);
    return served.cache().bytes >= (2 ** 20 * 7) / 8;
  });
  const latest = '/v1/releases/latest';
  expect((await ask(latest)).cache).toBe('MISS');
  await eventually('many were driven out', async () => {
    await askForNext(5);
    return served.cache().evictions >= 30;
  });
  const { hits, misses } = served.cache();
  expect((await ask(latest)).cache).toBe('HIT');
  expect(served.cache()).toMatchObject({ hits: hits + 1, misses });
});
