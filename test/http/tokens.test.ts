import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpService, rootApiKey, startHttpService } from '../spec/http/http-service.ts';
import { eventually } from '../spec/eventually.ts';

let service: HttpService;

beforeAll(async () => {
  service = await startHttpService();
});
afterAll(() => service.close());

const root = { key: rootApiKey };
const issue = async (fields: object) => {
  const { status, body } = await service.post('/v1/tokens', { name: 'importer', scopes: ['write'], ...fields });
  expect(status).toBe(201);
  return body as { token: string; id: string };
};
const codeOf = (answer: { status: number; body: { error: { code: string } } }) => [
  answer.status,
  answer.body.error.code,
];

describe('issuing a token', () => {
  it('shows its text once, and keeps no part of the secret', async () => {
    const { status, body, headers } = await service.post('/v1/tokens', { name: 'nightly', scopes: ['write', 'read'] });
    expect(status).toBe(201);
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(Number(headers.get('x-service-position'))).toBeGreaterThan(0);
    const { token, ...record } = body;
    expect(token).toMatch(/^relk_[0-9A-Za-z]{12}_[0-9A-Za-z]{32}$/);
    expect(record).toEqual({
      id: expect.stringMatching(/^tok_[0-9A-Za-z]{21}$/),
      name: 'nightly',
      start: token.slice(0, 'relk_'.length + 6),
      scopes: ['read', 'write'],
      principalType: 'internal',
      principalId: null,
      active: true,
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      createdBy: 'root',
    });
    const secret = token.slice('relk_'.length + 13);
    const shown = [
      (await service.get('/v1/tokens', root)).text,
      (await service.get(`/v1/tokens/${body.id}`, root)).text,
    ];
    for (const text of shown) expect(text).not.toContain(secret);
    const { events } = await service.registry.eventStore.read(`token-${body.id}`);
    expect(JSON.stringify(events)).not.toContain(secret);
  });

  it('names who issued it and for whom', async () => {
    const admin = await issue({ scopes: ['admin'] });
    const { body } = await service.post(
      '/v1/tokens',
      { name: 'agent', scopes: ['read'], principalType: 'agent', principalId: 'bot-7', expiresAt: '2999-01-01' },
      { key: admin.token },
    );
    expect(body).toMatchObject({
      principalType: 'agent',
      principalId: 'bot-7',
      createdBy: `token:${admin.id}`,
      expiresAt: '2999-01-01T00:00:00.000Z',
    });
  });

  it.each([
    [{ scopes: ['read'] }, 'name'],
    [{ name: '', scopes: ['read'] }, 'name'],
    [{ name: 'x'.repeat(81), scopes: ['read'] }, 'name'],
    [{ name: 'a', scopes: [] }, 'scopes'],
    [{ name: 'a', scopes: ['*'] }, 'scopes[0]'],
    [{ name: 'a', scopes: ['read'], principalType: 'robot' }, 'principalType'],
    [{ name: 'a', scopes: ['read'], principalId: 'x'.repeat(101) }, 'principalId'],
    [{ name: 'a', scopes: ['read'], expiresAt: 'tomorrow' }, 'expiresAt'],
    [{ name: 'a', scopes: ['read'], expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
  ])('refuses %j', async (body, path) => {
    const answer = await service.post('/v1/tokens', body);
    expect(codeOf(answer)).toEqual([400, 'validation_failed']);
    expect(answer.body.error.details.issues[0].path).toBe(path);
  });
});

describe('the scope ladder', () => {
  it('gives the higher rung what the lower ones may', async () => {
    const [read, write, admin] = await Promise.all(
      ['read', 'write', 'admin'].map((scope) => issue({ scopes: [scope] })),
    );
    const statusOf = async (key: string) => (await service.post('/v1/orgs', {}, { key })).status;
    expect(await statusOf(read!.token)).toBe(403);
    // Past the scope the empty body is what is wrong.
    expect(await statusOf(write!.token)).toBe(400);
    expect(await statusOf(admin!.token)).toBe(400);
    expect(await statusOf(rootApiKey)).toBe(400);
    for (const { token } of [read!, write!]) {
      const answer = await service.get('/v1/tokens', { key: token });
      expect(codeOf(answer)).toEqual([403, 'insufficient_scope']);
      expect(answer.body.error.details).toMatchObject({ required: 'admin' });
    }
    expect((await service.get('/v1/tokens', { key: admin!.token })).status).toBe(200);
  });

  it('asks for a credential where none came', async () => {
    for (const path of ['/v1/tokens', '/v1/tokens/me', '/v1/tokens/tok_aaaaaaaaaaaaaaaaaaaaa']) {
      expect(codeOf(await service.get(path))).toEqual([401, 'unauthorized']);
    }
  });
});

describe('reading tokens', () => {
  it('lists all of them, the newest first', async () => {
    const first = await issue({ name: 'first' });
    const second = await issue({ name: 'second' });
    const { body, headers } = await service.get('/v1/tokens', root);
    expect(headers.get('cache-control')).toBe('private, no-store');
    const ids = body.tokens.map(({ id }: { id: string }) => id);
    expect(ids.indexOf(second.id)).toBeLessThan(ids.indexOf(first.id));
    expect(body.tokens[0]).not.toHaveProperty('token');
    expect((await service.get(`/v1/tokens/${first.id}`, root)).body).toEqual(
      body.tokens.find(({ id }: { id: string }) => id === first.id),
    );
  });

  it('answers 404 for an unknown id and for what is none', async () => {
    for (const id of ['tok_aaaaaaaaaaaaaaaaaaaaa', 'tok_x', 'nonsense']) {
      const answers = [
        await service.get(`/v1/tokens/${id}`, root),
        await service.patch(`/v1/tokens/${id}`, { name: 'x' }),
        await service.post(`/v1/tokens/${id}/revoke`, undefined),
      ];
      for (const answer of answers) {
        expect(codeOf(answer)).toEqual([404, 'not_found']);
        expect(answer.body.error.details).toEqual({ entity: 'token' });
      }
    }
  });

  it('tells each credential who it is', async () => {
    const { id, token } = await issue({ name: 'mirror', scopes: ['read'], expiresAt: '2999-01-01T00:00:00Z' });
    expect((await service.get('/v1/tokens/me', { key: token })).body).toEqual({
      kind: 'token',
      name: 'mirror',
      scopes: ['read'],
      tokenId: id,
      userId: null,
      expiresAt: '2999-01-01T00:00:00.000Z',
    });
    expect((await service.get('/v1/tokens/me', root)).body).toEqual({
      kind: 'root',
      name: 'root',
      scopes: ['*'],
      tokenId: null,
      userId: null,
      expiresAt: null,
    });
  });

  it('remembers the last use', async () => {
    const { id, token } = await issue({});
    await service.get('/v1/tokens/me', { key: token });
    await eventually('the use is recorded', async () => {
      const { body } = await service.get(`/v1/tokens/${id}`, root);
      return body.lastUsedAt !== null;
    });
  });
});

describe('changing and revoking', () => {
  it('changes name, scopes and expiry, and null takes the expiry back', async () => {
    const { id, token } = await issue({ scopes: ['read'] });
    const { status, body, headers } = await service.patch(`/v1/tokens/${id}`, {
      name: 'renamed',
      scopes: ['admin'],
      expiresAt: '2999-12-31T23:59:59+01:00',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, name: 'renamed', scopes: ['admin'], expiresAt: '2999-12-31T22:59:59.000Z' });
    expect(Number(headers.get('x-service-position'))).toBeGreaterThan(0);
    // The new scope holds from the next request.
    expect((await service.get('/v1/tokens', { key: token })).status).toBe(200);
    expect((await service.patch(`/v1/tokens/${id}`, { expiresAt: null })).body.expiresAt).toBeNull();
  });

  it.each([
    [{}, ''],
    [{ name: null }, 'name'],
    [{ scopes: [] }, 'scopes'],
    [{ expiresAt: '2001-01-01' }, 'expiresAt'],
    [{ principalId: 'x' }, ''],
  ])('refuses %j', async (body, path) => {
    const { id } = await issue({});
    const answer = await service.patch(`/v1/tokens/${id}`, body);
    expect(codeOf(answer)).toEqual([400, 'validation_failed']);
    expect(answer.body.error.details.issues[0].path).toBe(path);
  });

  it('revokes from the next request on, and a second time changes nothing', async () => {
    const { id, token } = await issue({});
    expect((await service.get('/v1/tokens/me', { key: token })).status).toBe(200);
    const revoked = await service.post(`/v1/tokens/${id}/revoke`, undefined);
    expect(revoked.status).toBe(200);
    expect(revoked.body).toMatchObject({ id, active: false, revokedAt: expect.any(String) });
    const refused = await service.get('/v1/tokens/me', { key: token });
    expect(codeOf(refused)).toEqual([401, 'invalid_token']);
    expect(refused.headers.get('www-authenticate')).toBe('Bearer realm="release-registry", error="invalid_token"');
    const again = await service.post(`/v1/tokens/${id}/revoke`, undefined);
    expect([again.status, again.body.revokedAt]).toEqual([200, revoked.body.revokedAt]);
    const changed = await service.patch(`/v1/tokens/${id}`, { name: 'back' });
    expect(codeOf(changed)).toEqual([409, 'conflict']);
  });

  it('refuses a secret that is not the one of its lookup part', async () => {
    const { token } = await issue({});
    const forged = `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`;
    for (const key of [forged, `${token}x`, 'relk_short']) {
      expect(codeOf(await service.get('/v1/tokens/me', { key }))).toEqual([401, 'invalid_token']);
    }
  });
});
