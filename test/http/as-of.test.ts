import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../spec/eventually.ts';
import {
  type HttpAnswer,
  type HttpService,
  rootApiKey,
  startHttpService,
  webBaseUrl,
} from '../spec/http/http-service.ts';
import { createTestOrg, createTestReleases, createTestSource, issueTestToken } from '../spec/http/preamble.ts';
import { ingestInto } from '../spec/worlds/ingest-into.ts';

let service: HttpService;
let reader: string;

beforeAll(async () => {
  service = await startHttpService();
  reader = await issueTestToken(service, 'read');
});
afterAll(() => service.close());

const root = { key: rootApiKey };
const codeOf = ({ status, body }: HttpAnswer) => [status, body.error.code];
const titlesOf = ({ body }: HttpAnswer): string[] => body.releases.map(({ title }: { title: string }) => title);

/** Between what was done and what is done next. */
async function moment(): Promise<string> {
  const afterMs = Date.now();
  await eventually('the clock has gone on', () => Date.now() > afterMs + 1);
  return new Date(afterMs + 1).toISOString();
}

const at = (path: string, asOf: string, options = {}) =>
  service.get(`/v1${path}${path.includes('?') ? '&' : '?'}asOf=${asOf}`, options);

describe('a release as of a moment', () => {
  it('is the record and the text of then, with the names of then', async () => {
    const before = await moment();
    const { org, source, ids } = await createTestReleases(service, 'Then', 1, () => ({ content: 'Words of then.' }));
    const [id = ''] = ids;
    const then = await moment();
    const whole = (await service.get(`/v1/releases/${id}`)).body;
    const long = 'long words '.repeat(40_000);
    await service.patch(`/v1/releases/${id}`, { title: 'Now', content: long });
    const longOnes = await moment();
    await service.patch(`/v1/releases/${id}`, { content: 'Words of now.' });
    await service.patch(`/v1/sources/${source.id}`, { name: 'Renamed' });
    await service.patch(`/v1/orgs/${org.slug}`, { name: 'Renamed, too' });
    const answer = await at(`/releases/${id}`, then);
    expect([answer.status, answer.body]).toEqual([200, whole]);
    expect(answer.headers.get('x-service-as-of')).toBe(then);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=30');
    expect((await at(`/releases/${id}`, longOnes)).body).toMatchObject({ content: long, title: 'Now', revision: 2 });
    const now = await at(`/releases/${id}`, await moment());
    expect(now.body).toEqual((await service.get(`/v1/releases/${id}`)).body);
    expect(codeOf(await at(`/releases/${id}`, before))).toEqual([404, 'not_found']);
  });

  it('is seen only by those who see it today, and would have seen it then', async () => {
    const { ids } = await createTestReleases(service, 'Veiled', 2, () => ({ content: 'Words to be forgotten.' }));
    const [suppressed = '', erased = ''] = ids;
    const then = await moment();
    await service.post(`/v1/releases/${suppressed}/suppress`, { reason: 'Spam' });
    const meanwhile = await moment();
    await service.remove(`/v1/releases/${erased}?hard=true`);
    expect(codeOf(await at(`/releases/${suppressed}`, then))).toEqual([404, 'not_found']);
    expect((await at(`/releases/${suppressed}`, then, root)).body).toMatchObject({ suppressed: false });
    expect((await at(`/releases/${suppressed}`, meanwhile, root)).body).toMatchObject({ suppressedReason: 'Spam' });
    for (const options of [{}, root]) {
      expect(codeOf(await at(`/releases/${erased}`, then, options))).toEqual([404, 'not_found']);
    }
    await service.post(`/v1/releases/${suppressed}/unsuppress`, undefined);
    expect((await at(`/releases/${suppressed}`, then)).status).toBe(200);
    expect(codeOf(await at(`/releases/${suppressed}`, meanwhile))).toEqual([404, 'not_found']);
  });
});

describe('an org as of a moment', () => {
  it('is the detail of then with the numbers of then', async () => {
    const before = await moment();
    const { org, source, ids } = await createTestReleases(service, 'Grown', 3);
    const product = await service.create('/v1/products', { name: 'Rocket', orgId: org.id });
    await service.patch(`/v1/sources/${source.id}`, { productId: product.id });
    await service.call('PUT', '/v1/orgs/grown/overview', { body: { content: 'Of then', releaseCount: 3 } });
    await service.call('PUT', '/v1/orgs/grown/playbook', { body: { content: 'Notes of then' } });
    const [whole, wholeForReaders] = [
      await service.get('/v1/orgs/grown'),
      await service.get('/v1/orgs/grown', { key: reader }),
    ];
    const then = await moment();
    await ingestInto(service, source.id, [{ title: 'Later', version: '9.0.0', publishedAt: '2026-02-01' }]);
    await service.post(`/v1/releases/${ids[0]}/coverage`, { coverageIds: [ids[1]] });
    await service.remove(`/v1/releases/${ids[2]}?hard=true`);
    await createTestSource(service, 'Another', { orgId: org.id });
    await service.patch('/v1/orgs/grown', { name: 'Shrunk', tags: ['new'] });
    await service.call('PUT', '/v1/orgs/grown/overview', { body: { content: 'Of now', releaseCount: 3 } });
    await service.call('PUT', '/v1/orgs/grown/playbook', { body: { content: 'Notes of now' } });
    const answer = await at('/orgs/grown', then);
    expect(answer.headers.get('x-service-as-of')).toBe(then);
    // How fetching went is not recorded, and what was erased never comes back.
    const { lastFetchedAt: _, lastPolledAt: _polled, sources, ...rest } = whole.body;
    const [record] = sources;
    const version = '1.1.0';
    expect(answer.body).toMatchObject({
      ...rest,
      releaseCount: 2,
      avgReleasesPerWeek: expect.any(Number),
      products: [{ ...rest.products[0], releaseCount: 2 }],
    });
    expect(answer.body.sources).toMatchObject([
      { id: record.id, name: record.name, productSlug: 'rocket', releaseCount: 2, latestVersion: version },
    ]);
    const forReaders = await at('/orgs/grown', then, { key: reader });
    expect(forReaders.body.playbook).toEqual(wholeForReaders.body.playbook);
    expect(forReaders.headers.get('cache-control')).toBe('private, no-store');
    expect(answer.body).not.toHaveProperty('playbook');
    expect(codeOf(await at('/orgs/grown', before))).toEqual([404, 'not_found']);
  });

  it('has the releases of then in its Markdown, and links to the pages of now', async () => {
    const { org, source, ids } = await createTestReleases(service, 'Told', 2, () => ({ content: 'Words of then.' }));
    await service.create('/v1/products', { name: 'Rocket', slug: 'rocket', orgId: org.id });
    const then = await moment();
    await service.patch(`/v1/releases/${ids[1]}`, { title: 'Changed', content: 'Words of now.' });
    await ingestInto(service, source.id, [{ title: 'Later', publishedAt: '2026-04-01' }]);
    await service.patch(`/v1/sources/${source.id}`, { slug: 'told-source-now' });
    await service.patch('/v1/orgs/told', { slug: 'told-now', name: 'Told otherwise' });
    const { status, text, headers } = await at('/orgs/told-now', then, { headers: { accept: 'text/markdown' } });
    expect([status, headers.get('x-service-as-of')]).toEqual([200, then]);
    expect(text.match(/^### .*$/gm)).toEqual(['### Told 1 (1.1.0)', '### Told 0 (1.0.0)']);
    expect(text).not.toContain('Words of now.');
    expect(text).toContain('\nname: Told\nslug: told\n');
    expect(text).toContain(`\nurl: ${webBaseUrl}/told-now\n`);
    expect(text).toContain(`](${webBaseUrl}/told-now/rocket)`);
    expect(text).toContain(`](${webBaseUrl}/told-now/told-source-now)`);
  });

  it('shows nothing that is hidden today, and hidden orgs to admins only', async () => {
    const org = await createTestOrg(service, 'Shy');
    const product = await service.create('/v1/products', { name: 'Veiled', orgId: org.id });
    const source = await createTestSource(service, 'Shy', { orgId: org.id });
    await ingestInto(service, source.id, [{ title: 'One' }]);
    const then = await moment();
    await service.patch(`/v1/products/${product.id}`, { isHidden: true });
    expect((await at('/orgs/shy', then)).body).toMatchObject({ products: [], releaseCount: 1 });
    await service.patch(`/v1/sources/${source.id}`, { isHidden: true });
    expect((await at('/orgs/shy', then)).body).toMatchObject({ sources: [], releaseCount: 0 });
    expect(titlesOf(await at('/orgs/shy/releases', then))).toEqual([]);
    await service.patch('/v1/orgs/shy', { isHidden: true });
    expect(codeOf(await at('/orgs/shy', then))).toEqual([404, 'not_found']);
    expect((await at('/orgs/shy', then, root)).body).toMatchObject({ isHidden: false, sources: [] });
  });
});

describe('the releases of an org as of a moment', () => {
  it('are those of then with their texts, in pages of their own', async () => {
    const { org, source, ids } = await createTestReleases(service, 'Paged', 4, (index) => ({
      content: `Text ${index}`,
    }));
    const then = await moment();
    await service.patch(`/v1/releases/${ids[1]}`, {
      title: 'Changed',
      publishedAt: '2026-05-05',
      content: 'Other text',
    });
    await ingestInto(service, source.id, [{ title: 'Later', publishedAt: '2026-04-01' }]);
    const all = await at('/orgs/paged/releases', then);
    expect(titlesOf(all)).toEqual(['Paged 3', 'Paged 2', 'Paged 1', 'Paged 0']);
    expect(all.body.releases[2]).toMatchObject({ content: 'Text 1', org: { id: org.id } });
    expect(all.headers.get('x-service-as-of')).toBe(then);
    const first = await at('/orgs/paged/releases?limit=3', then);
    const { nextCursor } = first.body.pagination;
    const second = await at(`/orgs/paged/releases?limit=3&cursor=${nextCursor}`, then);
    expect([...titlesOf(first), ...titlesOf(second)]).toEqual(titlesOf(all));
    expect(second.body.pagination.nextCursor).toBeNull();
    // A cursor holds for the moment that it was made at.
    expect(codeOf(await service.get(`/v1/orgs/paged/releases?cursor=${nextCursor}`))).toEqual([400, 'invalid_cursor']);
    expect(codeOf(await at(`/orgs/paged/releases?cursor=${nextCursor}`, '2026-01-01'))).toEqual([
      400,
      'invalid_cursor',
    ]);
    const ofNow = await service.get('/v1/orgs/paged/releases?limit=1');
    const { nextCursor: cursorOfNow } = ofNow.body.pagination;
    expect(codeOf(await at(`/orgs/paged/releases?cursor=${cursorOfNow}`, then))).toEqual([400, 'invalid_cursor']);
    await service.post(`/v1/releases/${ids[3]}/suppress`, undefined);
    expect(titlesOf(await at('/orgs/paged/releases', then))).toEqual(['Paged 2', 'Paged 1', 'Paged 0']);
    expect((await at('/orgs/paged', then)).body.releaseCount).toBe(3);
    expect(titlesOf(await at('/orgs/paged/releases?until=2026-01-01T01:00:00Z', then))).toEqual(['Paged 1', 'Paged 0']);
  });

  it('take a product that was there then', async () => {
    const { org, source } = await createTestReleases(service, 'Moved', 1);
    const before = await moment();
    const product = await service.create('/v1/products', { name: 'Rocket', orgId: org.id });
    const without = await moment();
    await service.patch(`/v1/sources/${source.id}`, { productId: product.id });
    expect(codeOf(await at('/orgs/moved/releases?product=rocket', before))).toEqual([404, 'not_found']);
    expect(titlesOf(await at('/orgs/moved/releases?product=rocket', without))).toEqual([]);
    expect(titlesOf(await at('/orgs/moved/releases?product=rocket', await moment()))).toEqual(['Moved 0']);
  });
});

describe('a moment', () => {
  it.each(['tomorrow', '7d', '2026-02-30', '2026-01-01T00:00:00', '2999-01-01', '2999-01-01T00:00:00Z'])(
    'is not %s',
    async (asOf) => {
      for (const path of ['/releases/rel_nobody', '/orgs/nobody', '/orgs/nobody/releases']) {
        const { status, body } = await at(path, asOf);
        expect([status, body.error]).toMatchObject([
          400,
          { code: 'invalid_parameter', details: { parameter: 'asOf' } },
        ]);
      }
    },
  );

  it('may be today, which is now', async () => {
    await createTestOrg(service, 'Daily');
    const today = new Date().toISOString().slice(0, 10);
    const { status, headers } = await at('/orgs/daily', today);
    expect(status).toBe(200);
    expect(headers.get('x-service-as-of')?.slice(0, 10)).toBe(today);
  });
});
