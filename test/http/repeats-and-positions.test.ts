import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpApp } from '../../src/compose/http-app.ts';
import {
  type CallOptions,
  type HttpAnswer,
  type HttpService,
  noLookups,
  rootApiKey,
  startHttpService,
  webBaseUrl,
  wideLimits,
} from '../spec/http/http-service.ts';
import { createKeptLog } from '../spec/kept-log.ts';
import { serveApp } from '../spec/http/serve-app.ts';
import { createTestOrg, issueTestToken } from '../spec/http/preamble.ts';

let service: HttpService;

beforeAll(async () => {
  service = await startHttpService();
});
afterAll(() => service.close());

const codeOf = ({ status, body }: HttpAnswer) => [status, body.error.code];
const keyed = (key: string, options: CallOptions = {}): CallOptions => ({
  ...options,
  headers: { ...options.headers, 'idempotency-key': key },
});
const createOrg = (name: string, key: string, options: CallOptions = {}) =>
  service.post('/v1/orgs', { name }, keyed(key, options));
const orgNames = async () => {
  const { body } = await service.get('/v1/orgs?includeEmpty=1');
  return body.items.map(({ name }: { name: string }) => name);
};

describe('a request with an Idempotency-Key', () => {
  it('is answered again with the same bytes and the same position, and done once', async () => {
    const first = await createOrg('Once', 'create-once');
    expect(first.status).toBe(201);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const again = await createOrg('Once', 'create-once');
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    for (const name of ['x-service-position', 'content-type', 'cache-control']) {
      expect(again.headers.get(name)).toBe(first.headers.get(name));
    }
    expect((await orgNames()).filter((name: string) => name === 'Once')).toHaveLength(1);
  });

  it('is refused when the key was used for something else', async () => {
    await createOrg('Mine', 'used-before');
    for (const answer of [
      await createOrg('Other', 'used-before'),
      await service.post('/v1/orgs?x=1', { name: 'Mine' }, keyed('used-before')),
      await service.call('POST', '/v1/orgs', {
        body: '{ "name": "Mine" }',
        headers: { 'idempotency-key': 'used-before' },
      }),
    ]) {
      expect(codeOf(answer)).toEqual([409, 'idempotency_conflict']);
    }
    expect(await orgNames()).not.toContain('Other');
  });

  it.each(['short', '1234567', 'x'.repeat(256), 'with a blank', ''])('needs a key of its form, not %j', async (key) => {
    const answer = await createOrg('Refused', key);
    expect(codeOf(answer)).toEqual([400, 'invalid_parameter']);
    expect(answer.body.error.details.parameter).toBe('Idempotency-Key');
    expect(await orgNames()).not.toContain('Refused');
  });

  it('sent twice at once is done once', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => createOrg('At once', 'both-at-once')));
    const done = answers.filter(({ status }) => status === 201);
    expect(done.length).toBeGreaterThanOrEqual(1);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(codeOf(answer)).toEqual([409, 'idempotency_in_progress']);
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    expect((await orgNames()).filter((name: string) => name === 'At once')).toHaveLength(1);
  });

  it('is answered with the same refusal, as long as it is not the fault of the service', async () => {
    const first = await createOrg('', 'refused-before');
    expect(codeOf(first)).toEqual([400, 'validation_failed']);
    const again = await createOrg('', 'refused-before');
    expect([again.status, again.text]).toEqual([400, first.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.headers.get('cache-control')).toBe('no-store');
    // A conflict stays one, also when the reason for it is gone.
    const { body: org } = await service.post('/v1/orgs', { name: 'In the way', slug: 'wanted' });
    const create = () => service.post('/v1/orgs', { name: 'Later', slug: 'wanted' }, keyed('later-key'));
    expect(codeOf(await create())).toEqual([409, 'conflict']);
    await service.remove(`/v1/orgs/${org.id}`);
    expect(codeOf(await create())).toEqual([409, 'conflict']);
  });

  it('has nothing to do with the same key of another path or caller', async () => {
    const writer = await issueTestToken(service, 'write');
    const org = await createOrg('Shared key', 'shared-key');
    const token = await service.post('/v1/tokens', { name: 'x', scopes: ['read'] }, keyed('shared-key'));
    const other = await createOrg('Shared key too', 'shared-key', { key: writer });
    expect([org.status, token.status, other.status]).toEqual([201, 201, 201]);
    for (const { headers } of [org, token, other]) expect(headers.get('idempotency-replayed')).toBeNull();
  });

  it('repeats the text of a token and the outcome of a batch', async () => {
    const issue = () => service.post('/v1/tokens', { name: 'kept', scopes: ['read'] }, keyed('token-once'));
    expect((await issue()).body.token).toBe((await issue()).body.token);
    const { body: source } = await service.post('/v1/sources', { name: 'Kept', url: 'https://example.com/kept' });
    const send = () =>
      service.post(`/v1/sources/${source.id}/releases/batch`, { releases: [{ title: 'One' }] }, keyed('batch-once'));
    expect((await send()).body.inserted).toBe(1);
    expect((await send()).body.inserted).toBe(1);
  });

  it('keeps answers on the disk unreadable', async () => {
    const { body } = await service.post('/v1/tokens', { name: 'sealed', scopes: ['read'] }, keyed('sealed-answer'));
    const claims = await service.registry.ops.collection({
      name: 'idempotency-keys',
      indexes: { byRelease: ['releaseId'] },
    });
    const kept = await claims.query({ index: 'byRelease', equals: {}, limit: 1_000 });
    expect(kept.length).toBeGreaterThan(0);
    expect(JSON.stringify(kept)).not.toContain(body.token.slice(-32));
  });

  it('is refused, and nothing is done, while keys cannot be kept', async () => {
    const { ops } = service.registry;
    const transact: typeof ops.transact = async (changes, lease) => {
      if (changes.some(({ collection }) => collection === 'idempotency-keys')) throw new Error('disk full');
      return ops.transact(changes, lease);
    };
    const app = await createHttpApp(
      { ...service.registry, ops: { ...ops, transact } },
      {
        rootApiKey,
        secretKey: new Uint8Array(32),
        webBaseUrl,
        trustedOrigins: [],
        lookups: noLookups,
        rateLimits: wideLimits,
      },
    );
    const { url, close } = await serveApp(app);
    const response = await fetch(`${url}/v1/orgs`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${rootApiKey}`,
        'content-type': 'application/json',
        'idempotency-key': 'cannot-be-kept',
      },
      body: JSON.stringify({ name: 'Unkept' }),
    });
    const problem = await response.json();
    await close();
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(problem).toMatchObject({ error: { code: 'idempotency_unavailable' } });
    expect(await orgNames()).not.toContain('Unkept');
  });

  it('is only heard where something is created', async () => {
    const { body: org } = await service.post('/v1/orgs', { name: 'Patched' });
    for (const description of ['a', 'b']) {
      const { body } = await service.patch(`/v1/orgs/${org.slug}`, { description }, keyed('patch-key'));
      expect(body.description).toBe(description);
    }
  });
});

describe('positions', () => {
  it('are on every write, and a reader may wait for one', async () => {
    const { headers, body } = await service.post('/v1/orgs', { name: 'Positioned' });
    const position = headers.get('x-service-position') ?? '';
    expect(position).toMatch(/^\d+$/);
    const read = await service.get(`/v1/orgs/${body.slug}`, { headers: { 'x-service-min-position': position } });
    expect([read.status, read.headers.get('x-service-position')]).toEqual([200, null]);
    const changed = await service.patch('/v1/orgs/positioned', { description: 'x' });
    expect(Number(changed.headers.get('x-service-position'))).toBeGreaterThan(Number(position));
    // Nothing to write: the highest position that was read.
    const same = await service.patch('/v1/orgs/positioned', { description: 'x' });
    expect(same.headers.get('x-service-position')).toBe(changed.headers.get('x-service-position'));
    expect(Number((await service.remove('/v1/orgs/positioned')).headers.get('x-service-position'))).toBeGreaterThan(
      Number(position),
    );
  });

  it('that are far ahead are not waited for long', async () => {
    const answer = await service.get('/v1/orgs', { headers: { 'x-service-min-position': '999999999' } });
    expect(codeOf(answer)).toEqual([503, 'projection_behind']);
    expect(answer.body.error.details).toEqual({ requested: 999_999_999, position: expect.any(Number) });
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(answer.headers.get('x-service-position')).toBeNull();
  });

  it('that are never reached leave one line in the log, and no trace of the program', async () => {
    const said: unknown[] = [];
    const log = { ...createKeptLog(), warn: (...line: readonly unknown[]) => void said.push(line) };
    const { live } = service.registry;
    const app = await createHttpApp(
      { ...service.registry, log, live: { ...live, waitFor: async () => false } },
      {
        rootApiKey,
        secretKey: new Uint8Array(32),
        webBaseUrl,
        trustedOrigins: [],
        lookups: noLookups,
        rateLimits: wideLimits,
      },
    );
    const { url, close } = await serveApp(app);
    const { status } = await fetch(`${url}/v1/orgs`, { headers: { 'x-service-min-position': '999999999' } });
    await close();
    expect([status, said]).toEqual([
      503,
      [
        [
          'a request failed',
          {
            requestId: expect.any(String),
            method: 'GET',
            path: '/v1/orgs',
            code: 'projection_behind',
            details: { requested: 999_999_999, position: expect.any(Number) },
          },
        ],
      ],
    ]);
  });

  it.each(['-1', '1.5', 'abc', '99999999999999999999', '1, 2'])('are whole numbers, not %s', async (position) => {
    const answer = await service.get('/v1/orgs', { headers: { 'x-service-min-position': position } });
    expect(codeOf(answer)).toEqual([400, 'invalid_parameter']);
    expect(answer.body.error.details.parameter).toBe('X-Service-Min-Position');
  });
});

describe('a write that the read models do not show in time', () => {
  it('is stored, says where, and its repeat answers once they do', async () => {
    const { live } = service.registry;
    let isStalled = true;
    const app = await createHttpApp(
      {
        ...service.registry,
        live: { ...live, waitFor: async (...args) => !isStalled && (await live.waitFor(...args)) },
      },
      {
        rootApiKey,
        secretKey: new Uint8Array(32),
        webBaseUrl,
        trustedOrigins: [],
        lookups: noLookups,
        rateLimits: wideLimits,
      },
    );
    const { url, close } = await serveApp(app);
    const create = () =>
      fetch(`${url}/v1/orgs`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${rootApiKey}`,
          'content-type': 'application/json',
          'idempotency-key': 'slow-read-models',
        },
        body: JSON.stringify({ name: 'Stalled' }),
      });
    try {
      const behind = await create();
      expect([behind.status, await behind.json()]).toEqual([
        503,
        { error: expect.objectContaining({ code: 'projection_behind' }) },
      ]);
      const position = behind.headers.get('x-service-position');
      expect(Number(position)).toBeGreaterThan(0);
      isStalled = false;
      const again = await create();
      expect([again.status, again.headers.get('x-service-position')]).toEqual([201, position]);
      expect(await again.json()).toMatchObject({ slug: 'stalled' });
    } finally {
      await close();
    }
  });
});

describe('a write whose parent is deleted before it is shown', () => {
  /** The request is stored and about to be shown when the other one is sent and answered. */
  const raced = async (write: () => Promise<HttpAnswer>, remove: () => Promise<HttpAnswer>): Promise<HttpAnswer> => {
    const services = service.services as { viewAfter: HttpService['services']['viewAfter'] };
    const { viewAfter } = services;
    services.viewAfter = async (reads, position) => {
      services.viewAfter = viewAfter;
      expect((await remove()).status).toBe(200);
      return viewAfter(reads, position);
    };
    return write();
  };
  const expectStored = async ({ status, headers, body }: HttpAnswer, at: number) => {
    const position = Number(headers.get('x-service-position'));
    expect([status, body.error.code, body.error.details]).toEqual([
      503,
      'projection_behind',
      { requested: position, position },
    ]);
    expect(position).toBeGreaterThan(at);
    expect(position).toBeLessThan(await service.registry.eventStore.head());
  };

  it('is not told that there was nothing to write to', async () => {
    const org = await createTestOrg(service, 'Raced');
    const source = await service.create('/v1/sources', { name: 'S', url: 'https://raced.example', orgId: org.id });
    const head = await service.registry.eventStore.head();
    const release = () => service.post(`/v1/sources/${source.id}/releases`, { title: 'One' });
    await expectStored(await raced(release, () => service.remove(`/v1/sources/${source.id}`)), head);
    const product = () => service.post('/v1/products', { name: 'P', orgId: org.id });
    await expectStored(await raced(product, () => service.remove(`/v1/orgs/${org.id}`)), head);
    expect((await release()).status).toBe(404);
    expect((await product()).status).toBe(404);
  });
});
