import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpAnswer, type HttpService, rootApiKey, startHttpService } from '../spec/http/http-service.ts';
import { createTestReleases, issueTestTokens } from '../spec/http/preamble.ts';

let service: HttpService;
let reader: string;
let writer: string;

beforeAll(async () => {
  service = await startHttpService();
  ({ reader, writer } = await issueTestTokens(service));
});
afterAll(() => service.close());

const root = { key: rootApiKey };
const unknownId = `rel_${'a'.repeat(21)}`;
const codeOf = ({ status, body }: HttpAnswer) => [status, body.error.code];
const idsOf = ({ body }: HttpAnswer): string[] => body.releases.map(({ id }: { id: string }) => id);
const suppress = (id: string, body?: object, options = {}) =>
  service.post(`/v1/releases/${id}/suppress`, body, options);
const unsuppress = (id: string, options = {}) => service.post(`/v1/releases/${id}/unsuppress`, undefined, options);

const createReleases = (name: string, count: number) => createTestReleases(service, name, count);

describe('a suppressed release', () => {
  it('is gone for the public, everywhere and at once, and comes back everywhere', async () => {
    const { org, source, ids } = await createReleases('Hushed', 2);
    const [older = '', newest = ''] = ids;
    const seen = async () => {
      const [detail, feed, latest, orgDetail] = await Promise.all([
        service.get(`/v1/releases/${newest}`),
        service.get(`/v1/orgs/${org.slug}/releases`),
        service.get(`/v1/releases/latest?source=${source.id}`),
        service.get(`/v1/orgs/${org.slug}`),
      ]);
      return {
        detail: detail.status,
        feed: idsOf(feed),
        latest: idsOf(latest),
        counts: [orgDetail.body.releaseCount, orgDetail.body.sources[0].releaseCount],
        latestVersion: orgDetail.body.sources[0].latestVersion,
      };
    };
    const before = await seen();
    expect(before).toMatchObject({ detail: 200, feed: [newest, older], counts: [2, 2], latestVersion: '1.1.0' });

    const answer = await suppress(`${newest}-some-words`, { reason: 'Spam' }, { key: writer });
    expect([answer.status, answer.body]).toEqual([200, { id: newest, suppressed: true, suppressedReason: 'Spam' }]);
    expect(Number(answer.headers.get('x-service-position'))).toBeGreaterThan(0);
    expect(await seen()).toEqual({
      detail: 404,
      feed: [older],
      latest: [older],
      counts: [1, 1],
      latestVersion: '1.0.0',
    });
    expect((await service.get(`/v1/releases/${newest}`, root)).body).toMatchObject({
      suppressed: true,
      suppressedReason: 'Spam',
    });
    expect((await service.get(`/v1/releases/${newest}`, { key: writer })).status).toBe(404);
    expect(idsOf(await service.get(`/v1/orgs/${org.slug}/releases?include_coverage=true`, root))).toEqual([older]);

    const back = await unsuppress(newest, { key: writer });
    expect([back.status, back.body]).toEqual([200, { id: newest, suppressed: false, suppressedReason: null }]);
    expect(await seen()).toEqual(before);
  });

  it('is not brought back by ingesting it again', async () => {
    const { source, items, ids } = await createReleases('Stubborn', 1);
    const [id = ''] = ids;
    await suppress(id);
    const changed = { ...items[0], title: 'Changed' };
    const one = await service.post(`/v1/sources/${source.id}/releases`, changed);
    expect([one.status, one.body]).toEqual([200, { id, result: 'withdrawn' }]);
    const many = await service.post(`/v1/sources/${source.id}/releases/batch`, { releases: [changed] });
    expect(many.body).toMatchObject({ withdrawn: 1, inserted: 0, revised: 0 });
    expect((await service.get(`/v1/releases/${id}`)).status).toBe(404);
    await unsuppress(id);
    expect((await service.get(`/v1/releases/${id}`)).body).toMatchObject({ title: 'Stubborn 0', revision: 1 });
  });

  it('stays so when it is suppressed again or changed; a reason that is sent replaces the one before', async () => {
    const [id = ''] = (await createReleases('Again', 1)).ids;
    const first = await suppress(id, { reason: 'One' });
    const positionOf = ({ headers }: HttpAnswer) => headers.get('x-service-position');
    const same = await suppress(id);
    expect([same.body.suppressedReason, positionOf(same)]).toEqual(['One', positionOf(first)]);
    expect((await suppress(id, { reason: 'Two' })).body.suppressedReason).toBe('Two');
    expect((await service.patch(`/v1/releases/${id}`, { title: 'Still down' })).body).toMatchObject({
      title: 'Still down',
      suppressed: true,
    });
    expect((await service.get(`/v1/releases/${id}`)).status).toBe(404);
    expect((await unsuppress(id)).status).toBe(200);
    expect((await unsuppress(id)).status).toBe(200);
  });

  it('is refused to the wrong callers and where there is nothing', async () => {
    const { org, ids } = await createReleases('Refusals', 1);
    const [id = ''] = ids;
    for (const path of [`${id}/suppress`, `${id}/unsuppress`, 'batch-suppress']) {
      const call = (options: object) => service.post(`/v1/releases/${path}`, { ids: [id] }, options);
      expect(codeOf(await call({ key: null }))).toEqual([401, 'unauthorized']);
      expect(codeOf(await call({ key: reader }))).toEqual([403, 'insufficient_scope']);
    }
    for (const missing of [unknownId, 'nonsense']) {
      for (const options of [root, { key: writer }]) {
        expect(codeOf(await suppress(missing, undefined, options))).toEqual([404, 'not_found']);
        expect(codeOf(await unsuppress(missing, options))).toEqual([404, 'not_found']);
      }
    }
    for (const body of [{ reason: 'x'.repeat(501) }, { reason: 7 }, { reason: '\0' }, { reasons: 'x' }]) {
      expect(codeOf(await suppress(id, body))).toEqual([400, 'validation_failed']);
    }
    await service.patch(`/v1/orgs/${org.slug}`, { isHidden: true });
    expect(codeOf(await suppress(id, {}, { key: writer }))).toEqual([404, 'not_found']);
    expect((await suppress(id, {}, root)).status).toBe(200);
    await service.remove(`/v1/orgs/${org.slug}`);
    expect(codeOf(await unsuppress(id))).toEqual([404, 'not_found']);
  });

  it('is not found once it is erased, and erasing is what ingest finds', async () => {
    const { source, items, ids } = await createReleases('Erasing', 1);
    const [id = ''] = ids;
    await suppress(id);
    expect((await service.remove(`/v1/releases/${id}`)).status).toBe(200);
    expect(codeOf(await unsuppress(id))).toEqual([404, 'not_found']);
    expect(codeOf(await suppress(id))).toEqual([404, 'not_found']);
    const again = await service.post(`/v1/sources/${source.id}/releases`, items[0]);
    expect(again.body).toEqual({ id, result: 'withdrawn' });
  });
});

describe('many at once', () => {
  const suppressMany = (body: object, options = {}) => service.post('/v1/releases/batch-suppress', body, options);

  it('are taken down together; those that are not there are named', async () => {
    const { org, ids } = await createReleases('Many', 500);
    await suppress(ids[0]!, { reason: 'Before' });
    const { status, body } = await suppressMany({ ids: [...ids.slice(0, 498), ids[0], unknownId] }, { key: writer });
    expect([status, body]).toEqual([200, { suppressed: 498, notFound: [unknownId] }]);
    expect((await service.get(`/v1/orgs/${org.slug}`)).body.releaseCount).toBe(2);
    expect(idsOf(await service.get(`/v1/orgs/${org.slug}/releases`)).sort()).toEqual(ids.slice(498).sort());
    const none = await suppressMany({ ids: [unknownId] });
    expect(none.body).toEqual({ suppressed: 0, notFound: [unknownId] });
    expect(Number(none.headers.get('x-service-position'))).toBeGreaterThan(0);
  });

  it.each([{}, { ids: [] }, { ids: ['nonsense'] }, { ids: Array(501).fill(unknownId) }, { ids: [unknownId], x: 1 }])(
    'are refused where the input is bad',
    async (body) => {
      expect(codeOf(await suppressMany(body))).toEqual([400, 'validation_failed']);
    },
  );
});
