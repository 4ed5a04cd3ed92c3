import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseRange } from '../../../src/kernel/address/ip-range.ts';
import type { CountsByPolicy } from '../../../src/records/request-counts.ts';
import type { Document } from '../../../src/kernel/projection.ts';
import { eventually } from '../../spec/eventually.ts';
import { type HttpService, startHttpService } from '../../spec/http/http-service.ts';
import { issueTestToken } from '../../spec/http/preamble.ts';
import { openTestBackends, type TestBackends } from '../../spec/servers/test-backends.ts';

const limit = 6;

const rateLimits = {
  limits: { anonymous: limit, account: limit, token: limit },
  trustedProxies: [parseRange('127.0.0.0/8')!],
};

let backends: TestBackends;
let busy: HttpService;
/** One for each test: nobody has asked it anything. */
let idle: HttpService;

beforeAll(async () => {
  backends = await openTestBackends();
  busy = await startHttpService({ backends, rateLimits });
});
beforeEach(async () => {
  idle = await startHttpService({ backends: { ...backends, close: async () => {} }, roles: ['http'], rateLimits });
});
afterEach(() => idle.close());
afterAll(() => busy.close());

/** How many requests of that policy were told to all processes. */
async function toldOf(policy: string): Promise<number> {
  type Told = Document & { readonly counts: CountsByPolicy };
  const told = await busy.registry.ops.collection<Told>({ name: 'request-counts', indexes: { byTime: ['toldMs'] } });
  const all = await told.scan('', 1_000);
  return all.flatMap(({ doc }) => doc.counts[policy] ?? []).reduce((sum, [, count]) => sum + count, 0);
}

describe('a process that nobody asked for a while', () => {
  it.each(['anonymous', 'token'])('knows by its first request whom the others let in (%s)', async (policy) => {
    const key = policy === 'token' ? await issueTestToken(busy, 'read') : null;
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    const before = await toldOf(policy);
    const ask = ({ get }: HttpService) => get('/v1/orgs', { key, headers });
    for (let turn = 0; turn < limit; turn += 1) expect((await ask(busy)).status).toBe(200);
    await eventually('it was told', async () => (await toldOf(policy)) === before + limit);
    expect((await ask(idle)).status).toBe(429);
  });
});
