import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpAnswer, type HttpService, rootApiKey, startHttpService } from '../spec/http/http-service.ts';
import { createTestOrg, issueTestTokens } from '../spec/http/preamble.ts';

let service: HttpService;
let reader: string;
let writer: string;

beforeAll(async () => {
  service = await startHttpService();
  ({ reader, writer } = await issueTestTokens(service));
  await createTestOrg(service, 'Known', { domain: 'known.example' });
});
afterAll(() => service.close());

const codeOf = ({ status, body }: HttpAnswer) => [status, body.error.code];
const bytes = (body: Uint8Array | string, headers: Record<string, string> = {}) =>
  service.call('POST', '/v1/orgs', { body, headers });
const oversized = `{"name": "${'x'.repeat(1024 * 1024)}"`;

describe('every answer', () => {
  const answers = () =>
    Promise.all([
      service.get('/v1/orgs'),
      service.get('/v1/orgs/nobody'),
      service.get('/nowhere'),
      service.get('/v1/tokens'),
      service.post('/v1/orgs', {}),
      service.call('OPTIONS', '/v1/orgs', { headers: { 'access-control-request-method': 'POST' } }),
      service.call('HEAD', '/v1/orgs'),
      service.get('/health/live'),
    ]);

  it('has a request id of its own', async () => {
    const ids = (await answers()).map(({ headers }) => headers.get('x-service-request-id'));
    expect(ids.every((id) => id !== null && id.length > 0)).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has the security headers', async () => {
    for (const { headers } of await answers()) {
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
      expect(headers.get('vary')).toMatch(/^Authorization, Cookie, Accept, Accept-Encoding/);
    }
  });
});

describe('an error', () => {
  it('is the envelope, kept by no cache, also where there is no route', async () => {
    for (const [path, entity] of [
      ['/v1/orgs/nobody', 'org'],
      ['/v1/nowhere', 'route'],
      ['/nowhere', 'route'],
      ['/v2/orgs', 'route'],
    ] as const) {
      const { status, headers, body } = await service.get(path);
      expect(status).toBe(404);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('etag')).toBeNull();
      expect(body).toEqual({
        error: { code: 'not_found', type: 'not_found', message: expect.any(String), details: { entity } },
      });
    }
  });

  it('names the methods that a path knows', async () => {
    const answer = await service.call('PUT', '/v1/tokens');
    expect(codeOf(answer)).toEqual([404, 'not_found']);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
    expect((await service.get('/v1/nowhere')).headers.get('allow')).toBeNull();
  });

  it('asks for a credential, or says what is wrong with it', async () => {
    const realm = 'Bearer realm="release-registry"';
    const missing = await service.post('/v1/orgs', { name: 'x' }, { key: null });
    expect(codeOf(missing)).toEqual([401, 'unauthorized']);
    expect(missing.headers.get('www-authenticate')).toBe(realm);
    for (const authorization of ['Bearer wrong', 'Basic YTpi', 'Bearer', 'Bearer a b']) {
      const bad = await service.post('/v1/orgs', { name: 'x' }, { key: null, headers: { authorization } });
      expect(codeOf(bad), authorization).toEqual([401, 'invalid_token']);
      expect(bad.headers.get('www-authenticate')).toBe(`${realm}, error="invalid_token"`);
    }
    const low = await service.post('/v1/orgs', { name: 'x' }, { key: reader });
    expect(codeOf(low)).toEqual([403, 'insufficient_scope']);
    expect(low.body.error).toMatchObject({
      type: 'insufficient_scope',
      details: { required: 'write', granted: ['read'] },
    });
    expect(low.headers.get('www-authenticate')).toBe(`${realm}, error="insufficient_scope", scope="write"`);
  });

  it('does not keep a bad credential from public reads', async () => {
    const { status, headers } = await service.get('/v1/orgs', { key: 'wrong' });
    expect(status).toBe(200);
    expect(headers.get('www-authenticate')).toBe('Bearer realm="release-registry", error="invalid_token"');
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect((await service.get('/v1/orgs', { key: reader })).headers.get('www-authenticate')).toBeNull();
  });
});

describe('the order of checks', () => {
  const text = { 'content-type': 'text/plain' };

  it('is route, credential, scope, size, key, type, schema, option, entity', async () => {
    const post = (path: string, body: string, options: object) => service.call('POST', path, { body, ...options });
    expect(codeOf(await post('/v1/nowhere', oversized, { key: null }))).toEqual([404, 'not_found']);
    expect(codeOf(await post('/v1/orgs', oversized, { key: null }))).toEqual([401, 'unauthorized']);
    expect(codeOf(await post('/v1/orgs', oversized, { key: reader }))).toEqual([403, 'insufficient_scope']);
    const shortKey = { 'idempotency-key': 'short' };
    const large = await post('/v1/orgs', oversized, { headers: { ...text, ...shortKey } });
    expect(codeOf(large)).toEqual([413, 'payload_too_large']);
    expect(large.body.error.details).toEqual({ limitBytes: 1024 * 1024 });
    const keyed = await post('/v1/orgs', 'no json', { headers: { ...text, ...shortKey } });
    expect(codeOf(keyed)).toEqual([400, 'invalid_parameter']);
    expect(codeOf(await post('/v1/orgs', 'no json', { headers: text }))).toEqual([400, 'unsupported_content_type']);
    const patch = (body: object, path = '/v1/orgs/nobody') => service.patch(path, body, { key: writer });
    expect(codeOf(await patch({ isHidden: true, name: 7 }))).toEqual([400, 'validation_failed']);
    const option = await patch({ isHidden: true });
    expect(codeOf(option)).toEqual([403, 'forbidden']);
    expect(option.body.error.details).toEqual({ option: 'isHidden' });
    expect(codeOf(await patch({ name: 'y' }))).toEqual([404, 'not_found']);
    // A taken slug is found out last.
    await service.post('/v1/orgs', { name: 'Taken' });
    expect(codeOf(await patch({ slug: 'taken' }, '/v1/orgs/known'))).toEqual([409, 'conflict']);
  });

  it('refuses a body that grows too large without saying its size', async () => {
    const stream = new Blob([oversized]).stream();
    const response = await fetch(`${service.url}/v1/orgs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${rootApiKey}`, 'content-type': 'application/json' },
      body: stream,
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: { code: 'payload_too_large' } });
  });
});

describe('query parameters', () => {
  it.each([
    ['page=1&page=2', 'page'],
    ['page=&page=', 'page'],
    ['limit=1&limit=1', 'limit'],
    ['q=a%00b', 'q'],
    ['page=0', 'page'],
    ['page=1e3', 'page'],
    ['limit=+1', 'limit'],
    ['includeEmpty=yes', 'includeEmpty'],
  ])('refuses %s', async (search, parameter) => {
    const answer = await service.get(`/v1/orgs?${search}`);
    expect(codeOf(answer)).toEqual([400, 'invalid_parameter']);
    expect(answer.body.error.details.parameter).toBe(parameter);
  });

  it.each(['page=&limit=', 'nonsense=1', 'toString=1&constructor=2&__proto__=3', 'includeEmpty=FALSE'])(
    'takes %s',
    async (search) => {
      expect((await service.get(`/v1/orgs?${search}`)).status).toBe(200);
    },
  );

  it('finds nothing past the end, however far', async () => {
    for (const page of ['2', '999999999', '9'.repeat(40)]) {
      const { status, body } = await service.get(`/v1/orgs?includeEmpty=1&page=${page}`);
      expect(status).toBe(200);
      expect(body.items).toEqual([]);
      expect(body.pagination).toMatchObject({ returned: 0, hasMore: false });
    }
  });
});

describe('bodies', () => {
  it.each([
    ['', 'invalid_json'],
    ['{"name": "x"', 'invalid_json'],
    ['[]', 'invalid_json'],
    ['null', 'invalid_json'],
    ['"text"', 'invalid_json'],
    ['{"name": "x"} {}', 'invalid_json'],
    ['{"name": "x", "colour": "red"}', 'validation_failed'],
    ['{"name": "x", "__proto__": {"a": 1}}', 'validation_failed'],
    ['{"name": 7}', 'validation_failed'],
    [`{"name": "x", "deep": ${'['.repeat(400_000)}${']'.repeat(400_000)}}`, 'validation_failed'],
    [`{"name": "\\u0000", "deep": ${'['.repeat(400_000)}${']'.repeat(400_000)}}`, 'validation_failed'],
  ])('refuses case %#', async (body, code) => {
    expect(codeOf(await bytes(body, { 'content-type': 'application/json' }))).toEqual([400, code]);
  });

  it.each([
    ['{"name": "a\\u0000"}', 'name'],
    ['{"name": "\\ud800"}', 'name'],
    ['{"name": "x", "tags": ["ok", "\\uDC00\\uD800"]}', 'tags[1]'],
    ['{"name": "x", "a\\u0000": 1}', ''],
  ])('refuses the characters of %s', async (body, path) => {
    const answer = await bytes(body);
    expect(codeOf(answer)).toEqual([400, 'validation_failed']);
    expect(answer.body.error.details.issues).toEqual([{ path, message: 'holds a character that is not allowed' }]);
  });

  it('takes a surrogate pair in escapes, and a type with a charset', async () => {
    const headers = { 'content-type': 'Application/JSON; charset=utf-8' };
    const { status, body } = await bytes('{"name": "Smile \\ud83d\\ude00"}', headers);
    expect([status, body.name]).toEqual([201, 'Smile 😀']);
  });

  it('refuses invalid UTF-8', async () => {
    const body = Buffer.concat([Buffer.from('{"name": "'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]);
    expect(codeOf(await bytes(body, { 'content-type': 'application/json' }))).toEqual([400, 'invalid_json']);
  });

  it.each([
    ['text/plain', 'text/plain'],
    ['application/jsonp', 'application/jsonp'],
    ['', null],
  ])('refuses the type %j', async (type, received) => {
    const answer = await bytes(Buffer.from('{"name": "x"}'), type === '' ? {} : { 'content-type': type });
    expect(codeOf(answer)).toEqual([400, 'unsupported_content_type']);
    expect(answer.body.error.details).toEqual({ received });
  });

  it('names every fault of a body at its place', async () => {
    const { body } = await service.post('/v1/orgs', { name: 7, aliases: ['a.example', 'no domain'] });
    const paths = body.error.details.issues.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(['name', 'aliases[1]']);
  });
});
