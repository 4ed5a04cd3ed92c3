import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseRange } from '../../src/kernel/address/ip-range.ts';
import {
  type CallOptions,
  type HttpAnswer,
  type HttpService,
  rootApiKey,
  startHttpService,
} from '../spec/http/http-service.ts';
import { createKeepAliveClient, headerOf } from '../spec/http/variants/keep-alive-client.ts';
import { createTestOrg, issueTestToken } from '../spec/http/preamble.ts';

const limits = { anonymous: 5, account: 7, token: 9 };

let service: HttpService;

beforeAll(async () => {
  // Every test is a client of its own, which a trusted proxy forwards for.
  const rateLimits = { limits, trustedProxies: [parseRange('127.0.0.0/8')!] };
  service = await startHttpService({ rateLimits });
  await createTestOrg(service, 'Known');
});
afterAll(() => service.close());

let clients = 0;
/** An address that nobody has used before. */
const newAddress = (): string => `203.0.113.${(clients += 1)}`;

const clientAt = (address: string) => {
  const ask = (method: string, path: string, { headers, ...options }: CallOptions = {}): Promise<HttpAnswer> =>
    service.call(method, path, { key: null, ...options, headers: { 'x-forwarded-for': address, ...headers } });
  return {
    ask,
    get: (path: string, options?: CallOptions) => ask('GET', path, options),
    /** Until the next one is refused. */
    useUp: async () => {
      for (let turn = 0; turn < limits.anonymous; turn += 1) expect((await ask('GET', '/v1/orgs')).status).toBe(200);
    },
  };
};

const newClient = () => clientAt(newAddress());

const limitOf = ({ headers }: HttpAnswer) => {
  const [, policy, left, seconds] = /^"(\w+)";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? [];
  return { policy, left: Number(left), seconds: Number(seconds) };
};
const leftOf = (answer: HttpAnswer): number => limitOf(answer).left;

describe('a client without a credential', () => {
  it('is refused however it writes the address', async () => {
    const address = newAddress();
    await clientAt(address).useUp();
    const client = createKeepAliveClient(service.port);
    const targets = ['/v1/orgs', '/v1/orgs#x', 'http://other.example/v1/orgs', '/v1\\orgs#x', '/v1/orgs?#'];
    for (const target of targets) {
      const { status } = await client.ask({ method: 'GET', target, headers: [['X-Forwarded-For', address]] });
      expect(status, target).toBe(429);
    }
    client.close();
  });

  it('is told of what is not there that it is not, however it writes the address', async () => {
    const address = newAddress();
    await clientAt(address).useUp();
    const client = createKeepAliveClient(service.port);
    for (const target of ['/v1/nowhere', '/v1/nowhere#x', 'http://other.example/v1/nowhere', '/v1\\nowhere', '*']) {
      const answer = await client.ask({ method: 'GET', target, headers: [['X-Forwarded-For', address]] });
      expect([answer.status, headerOf(answer, 'ratelimit')], target).toEqual([404, expect.stringContaining(';r=0;')]);
    }
    client.close();
  });

  it('is told on every answer how many more it may send', async () => {
    const client = newClient();
    for (let turn = 1; turn <= limits.anonymous; turn += 1) {
      const answer = await client.get('/v1/orgs');
      expect(answer.status).toBe(200);
      expect(answer.headers.get('ratelimit-policy')).toBe('"anonymous";q=5;w=60');
      expect(limitOf(answer)).toMatchObject({ policy: 'anonymous', left: limits.anonymous - turn });
      expect(limitOf(answer).seconds).toBeGreaterThanOrEqual(1);
      expect(limitOf(answer).seconds).toBeLessThanOrEqual(60);
      expect(answer.headers.get('retry-after')).toBeNull();
    }
  });

  it('is refused beyond its limit with all that an error has', async () => {
    const client = newClient();
    await client.useUp();
    const answers = [await client.get('/v1/orgs'), await client.get('/v1/orgs')];
    for (const { status, headers, body } of answers) {
      const seconds = Number(headers.get('retry-after'));
      expect(status).toBe(429);
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(60);
      expect(body).toEqual({
        error: {
          code: 'rate_limited',
          type: 'rate_limited',
          message: `Too many requests; ask again in ${seconds} s.`,
          details: { policy: 'anonymous', limit: 5, windowSeconds: 60, retryAfterSeconds: seconds },
        },
      });
      expect(headers.get('ratelimit-policy')).toBe('"anonymous";q=5;w=60');
      expect(headers.get('ratelimit')).toBe(`"anonymous";r=0;t=${seconds}`);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('vary')).toBe('Authorization, Cookie, Accept, Accept-Encoding, Origin');
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-expose-headers')).toContain('Retry-After');
    }
    expect(new Set(answers.map(({ headers }) => headers.get('x-service-request-id'))).size).toBe(2);
  });

  it('has every method and every failure counted', async () => {
    const client = clientAt(newAddress());
    const answers = [
      await client.ask('HEAD', '/v1/orgs'),
      await client.ask('POST', '/v1/orgs', { body: {} }),
      await client.get('/v1/orgs/nobody'),
      await client.get('/v1/nowhere'),
      await client.get('/v1/orgs?limit=ten'),
    ];
    expect(answers.map((answer) => [answer.status, leftOf(answer)])).toEqual([
      [200, 4],
      [401, 3],
      [404, 2],
      [404, 1],
      [400, 0],
    ]);
  });

  it('is refused before anything is read of its request', async () => {
    const client = newClient();
    await client.useUp();
    const huge = 'x'.repeat(2 * 1024 * 1024);
    for (const answer of [
      await client.ask('POST', '/v1/orgs', { body: huge }),
      await client.ask('POST', '/v1/orgs', { body: 'no json' }),
      await client.get('/v1/orgs?limit=ten'),
      await client.get('/v1/orgs/nobody'),
      await client.get('/v1/orgs', { key: 'wrong' }),
      await client.ask('POST', '/v1/orgs', { key: 'wrong', body: '{}' }),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([429, 'rate_limited']);
    }
    for (const answer of [await client.get('/v1/nowhere'), await client.get('/v1/nowhere', { key: 'wrong' })]) {
      expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']); // the route is decided first
    }
    const head = await client.ask('HEAD', '/v1/orgs');
    expect([head.status, head.text]).toEqual([429, '']);
  });

  it('is counted among the answers when it is refused, with a bad credential or without one', async () => {
    const answersOfNoRoute = (): number => {
      const sample = service.meter
        .samples()
        .find(({ labels: { route, status } }) => `${route} ${status}` === 'unknown 4xx');
      return (sample?.counts ?? []).reduce((sum, count) => sum + count, 0);
    };
    const client = newClient();
    await client.useUp();
    const before = answersOfNoRoute();
    for (const key of [null, 'wrong']) expect((await client.get('/v1/orgs', { key })).status).toBe(429);
    expect(answersOfNoRoute()).toBe(before + 2);
  });

  it('is one client with and without a bad credential', async () => {
    const client = newClient();
    expect(leftOf(await client.get('/v1/orgs', { key: 'wrong' }))).toBe(4);
    expect(leftOf(await client.get('/v1/orgs'))).toBe(3);
    expect(leftOf(await client.get('/v1/orgs', { headers: { authorization: ' ' } }))).toBe(2);
  });

  it('is not refused because of another one', async () => {
    await newClient().useUp();
    expect((await newClient().get('/v1/orgs')).status).toBe(200);
  });

  it('may come from a trusted origin, which can read that it is refused', async () => {
    const client = newClient();
    await client.useUp();
    const { status, headers } = await client.get('/v1/orgs', { headers: { origin: 'https://trusted.example' } });
    expect(status).toBe(429);
    expect(headers.get('access-control-allow-origin')).toBe('https://trusted.example');
    expect(headers.get('access-control-allow-credentials')).toBe('true');
  });
});

describe('the question that a browser asks before a request', () => {
  const headers = { origin: 'https://page.example', 'access-control-request-method': 'POST' };

  it('counts as any other, and is refused with the headers of any answer', async () => {
    const client = newClient();
    for (let turn = 1; turn <= limits.anonymous; turn += 1) {
      const answer = await client.ask('OPTIONS', '/v1/orgs', { headers });
      expect(answer.headers.get('ratelimit-policy')).toBe('"anonymous";q=5;w=60');
      expect([answer.status, leftOf(answer)]).toEqual([204, limits.anonymous - turn]);
    }
    const refused = await client.ask('OPTIONS', '/v1/orgs', { headers });
    expect([refused.status, refused.body.error.code, leftOf(refused)]).toEqual([429, 'rate_limited', 0]);
    expect(refused.headers.get('access-control-allow-origin')).toBe('*');
    expect(refused.headers.get('access-control-expose-headers')).toContain('Retry-After');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await client.get('/v1/orgs')).status).toBe(429);
    expect((await client.ask('OPTIONS', '/health', { headers })).status).toBe(204);
  });

  it('is refused however it writes the address, which need not be there', async () => {
    const address = newAddress();
    await clientAt(address).useUp();
    const client = createKeepAliveClient(service.port);
    const sent: [string, string][] = [...Object.entries(headers), ['X-Forwarded-For', address]];
    for (const target of ['/v1/orgs', '/v1/nowhere', '/v1/orgs#x', 'http://other.example/v1/orgs']) {
      const answer = await client.ask({ method: 'OPTIONS', target, headers: sent });
      expect([answer.status, headerOf(answer, 'access-control-allow-origin')], target).toEqual([429, '*']);
    }
    client.close();
  });

  it('counts for the credential that came with it, which no browser sends', async () => {
    const key = await issueTestToken(service, 'read');
    const client = newClient();
    await client.useUp();
    const ask = (options: CallOptions) => client.ask('OPTIONS', '/v1/orgs', { ...options, headers });
    const withToken = await ask({ key });
    expect([withToken.status, limitOf(withToken).policy, leftOf(withToken)]).toEqual([204, 'token', limits.token - 1]);
    expect((await ask({ key: rootApiKey })).status).toBe(204);
    expect((await ask({ key: 'nobody-has-this-one' })).status).toBe(429);
  });
});

describe('nothing is counted', () => {
  it.each(['/health', '/health/live', '/health/ready', '/v1/openapi.json', '/v1/openapi.json?x=1'])(
    'of %s, which is answered to who is refused too',
    async (path) => {
      const client = newClient();
      const before = await client.get(path);
      expect([before.status, before.headers.get('ratelimit'), before.headers.get('ratelimit-policy')]).toEqual([
        200,
        null,
        null,
      ]);
      await client.useUp();
      expect((await client.get(path)).status).toBe(200);
    },
  );

  it('of the root key', async () => {
    const client = newClient();
    await client.useUp();
    for (let turn = 0; turn < 12; turn += 1) {
      const { status, headers } = await client.get('/v1/orgs', { key: rootApiKey });
      expect([status, headers.get('ratelimit'), headers.get('ratelimit-policy')]).toEqual([200, null, null]);
    }
  });
});

describe('a machine token', () => {
  it('has a limit of its own, wherever it is used', async () => {
    const [key, other] = [await issueTestToken(service, 'read'), await issueTestToken(service, 'read')];
    const client = newClient();
    await client.useUp();
    for (let turn = 1; turn <= limits.token; turn += 1) {
      const answer = await newClient().get('/v1/orgs', { key });
      expect(answer.headers.get('ratelimit-policy')).toBe('"token";q=9;w=60');
      expect([answer.status, leftOf(answer)]).toEqual([200, limits.token - turn]);
    }
    const { status, body, headers } = await client.get('/v1/orgs', { key });
    expect([status, body.error.code, body.error.details.policy]).toEqual([429, 'rate_limited', 'token']);
    expect(headers.get('retry-after')).toBe(String(body.error.details.retryAfterSeconds));
    expect((await client.get('/v1/orgs', { key: other })).status).toBe(200);
  });

  it('is refused before its scope is looked at, and after it is known to be good', async () => {
    const key = await issueTestToken(service, 'read');
    const client = newClient();
    for (let turn = 1; turn <= limits.token; turn += 1) {
      expect((await client.ask('POST', '/v1/orgs', { key, body: '{}' })).status).toBe(403);
    }
    expect((await client.ask('POST', '/v1/orgs', { key, body: '{}' })).status).toBe(429);
    expect((await client.get('/v1/nowhere', { key })).status).toBe(404);
  });
});
