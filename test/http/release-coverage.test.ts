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
const link = (id: string, coverageIds: unknown, fields: object = {}, options = {}) =>
  service.post(`/v1/releases/${id}/coverage`, { coverageIds, ...fields }, options);
const unlink = (id: string) => service.remove(`/v1/releases/${id}/coverage`);
const coverageOf = async (id: string, options = {}) => (await service.get(`/v1/releases/${id}/coverage`, options)).body;
const detailOf = async (id: string) => (await service.get(`/v1/releases/${id}`)).body;

const createReleases = (name: string, count: number) =>
  createTestReleases(service, name, count, (index) => ({
    media: [{ type: 'image', url: `https://example.com/${index}.png` }],
  }));

describe('linked releases', () => {
  it('are told by both sides', async () => {
    const { ids, source } = await createReleases('Launch', 3);
    const [canonical = '', one = '', two = ''] = ids;
    const linked = await link(canonical, [two, one, two], { reason: 'Same launch', decidedBy: 'human:jane' });
    expect([linked.status, linked.body]).toEqual([201, { canonicalId: canonical, coverageIds: [two, one], linked: 2 }]);
    const row = (coverageId: string, siblingId: string, index: number) => ({
      coverageId,
      canonicalId: canonical,
      reason: 'Same launch',
      decidedBy: 'human:jane',
      decidedAt: expect.any(String),
      sibling: expect.objectContaining({
        id: siblingId,
        version: `1.${index}.0`,
        title: `Launch ${index}`,
        sourceName: source.name,
        thumbnail: `https://example.com/${index}.png`,
      }),
    });
    expect(await coverageOf(one)).toEqual({ role: 'coverage', canonical: row(one, canonical, 0), covers: [] });
    const covers = [row(one, one, 1), row(two, two, 2)].sort((a, b) => (a.coverageId < b.coverageId ? -1 : 1));
    expect(await coverageOf(canonical)).toEqual({ role: 'canonical', canonical: null, covers });
    expect(await detailOf(canonical)).toMatchObject({ coverageCount: 2, coverageOf: null });
    expect(await detailOf(one)).toMatchObject({ coverageCount: 0, coverageOf: canonical });

    await service.post(`/v1/releases/${two}/suppress`, {});
    expect(await detailOf(canonical)).toMatchObject({ coverageCount: 1 });
    expect((await coverageOf(canonical)).covers).toHaveLength(1);
    expect((await coverageOf(canonical, root)).covers).toHaveLength(2);
    await service.post(`/v1/releases/${canonical}/suppress`, {});
    expect(await coverageOf(one)).toMatchObject({ role: 'coverage', canonical: null });
    expect(await detailOf(one)).toMatchObject({ coverageOf: canonical });
  });

  it('leave feeds and numbers on the coverage side, and come with `include_coverage` and when they are unlinked', async () => {
    const launch = await createReleases('Original', 1);
    const { org, source, ids } = await createReleases('Echo', 2);
    const [canonical = ''] = launch.ids;
    const newestFirst = [...ids].reverse();
    const seen = async (query: string) => [
      idsOf(await service.get(`/v1/orgs/${org.slug}/releases${query}`)),
      idsOf(await service.get(`/v1/releases/latest${query}${query === '' ? '?' : '&'}source=${source.id}`)),
      idsOf(await service.get(`/v1/releases/latest${query}${query === '' ? '?' : '&'}count=100`)).filter((id) =>
        ids.includes(id),
      ),
    ];
    const countOf = async () => (await service.get(`/v1/orgs/${org.slug}`)).body.releaseCount;
    expect(await seen('')).toEqual([newestFirst, newestFirst, newestFirst]);

    // All that the source has: only who asks for coverage finds the source at all.
    expect((await link(canonical, ids)).body.linked).toBe(2);
    expect(await seen('')).toEqual([[], [], []]);
    expect(await seen('?include_coverage=true')).toEqual([newestFirst, newestFirst, newestFirst]);
    expect(await countOf()).toBe(0);
    const { body } = await service.get(`/v1/orgs/${org.slug}`);
    expect(body.sources[0]).toMatchObject({ releaseCount: 0, latestVersion: null, latestAddedAt: null });
    expect((await service.get(`/v1/orgs/${launch.org.slug}/releases`)).body.releases[0].coverageCount).toBe(2);

    expect((await unlink(ids[0]!)).body).toEqual({ unlinked: 1 });
    expect(await seen('')).toEqual([[ids[0]], [ids[0]], [ids[0]]]);
    expect(await countOf()).toBe(1);
    await link(canonical, ids);
    expect((await unlink(canonical)).body).toEqual({ unlinked: 2 });
    expect((await unlink(canonical)).body).toEqual({ unlinked: 0 });
    expect(await seen('')).toEqual([newestFirst, newestFirst, newestFirst]);
    expect(await coverageOf(canonical)).toEqual({ role: 'standalone', canonical: null, covers: [] });
  });

  it('are one level deep, and each has one canonical', async () => {
    const [a = '', b = '', c = '', d = ''] = (await createReleases('Depth', 4)).ids;
    const itself = await link(a, [b, a]);
    expect(codeOf(itself)).toEqual([400, 'validation_failed']);
    expect(itself.body.error.details.issues[0].path).toBe('coverageIds');
    const absent = 'rel_000000000000000000000';
    expect(codeOf(await link(absent, [absent]))).toEqual([400, 'validation_failed']);
    expect((await link(a, [b])).body.linked).toBe(1);
    const again = await link(a, [b]);
    expect([again.status, again.body.linked]).toEqual([201, 0]);
    for (const [canonical, coverage] of [
      [b, c],
      [c, a],
      [c, b],
    ] as const) {
      const refused = await link(canonical, [d, coverage]);
      expect(codeOf(refused)).toEqual([409, 'conflict']);
      expect(refused.body.error.details.field).toBe('coverage');
    }
    // What was refused has written nothing.
    expect(await coverageOf(d)).toMatchObject({ role: 'standalone' });
    expect((await service.registry.eventStore.read(`release-${c}`)).events.map(({ type }) => type)).not.toContain(
      'CoverageClaimed.v1',
    );
    await unlink(b);
    expect((await link(b, [a])).status).toBe(201);
  });

  it('stand by themselves when the other side is erased', async () => {
    const [canonical = '', one = '', two = ''] = (await createReleases('Erased', 3)).ids;
    await link(canonical, [one, two]);
    expect((await service.remove(`/v1/releases/${two}`)).status).toBe(200);
    expect(await detailOf(canonical)).toMatchObject({ coverageCount: 1 });
    expect((await service.remove(`/v1/releases/${canonical}`)).status).toBe(200);
    expect(await detailOf(one)).toMatchObject({ coverageOf: null });
    expect(await coverageOf(one)).toMatchObject({ role: 'standalone' });
  });

  it('answer a repeat with the same key as the first time', async () => {
    const [canonical = '', one = ''] = (await createReleases('Keyed', 2)).ids;
    const keyed = { headers: { 'idempotency-key': 'link-them-once' } };
    const first = await link(canonical, [one], {}, keyed);
    const repeat = await link(canonical, [one], {}, keyed);
    expect(repeat.headers.get('idempotency-replayed')).toBe('true');
    expect([repeat.body, repeat.body.linked]).toEqual([first.body, 1]);
    expect((await coverageOf(one)).canonical.decidedBy).toBe('agent:api');
  });

  it('are refused to the wrong callers, for bad input and where there is nothing', async () => {
    const { org, ids } = await createReleases('Refused', 2);
    const [a = '', b = ''] = ids;
    expect(codeOf(await link(a, [b], {}, { key: null }))).toEqual([401, 'unauthorized']);
    expect(codeOf(await link(a, [b], {}, { key: reader }))).toEqual([403, 'insufficient_scope']);
    for (const [coverageIds, fields] of [
      [[], {}],
      [undefined, {}],
      [['nonsense'], {}],
      [Array(51).fill(b), {}],
      [[b], { reason: 'x'.repeat(501) }],
      [[b], { decidedBy: 'jane' }],
      [[b], { decidedBy: 'human:' }],
      [[b], { other: 1 }],
    ] as const) {
      expect(codeOf(await link(a, coverageIds, fields))).toEqual([400, 'validation_failed']);
    }
    for (const options of [root, { key: writer }]) {
      expect(codeOf(await link(unknownId, [b], {}, options))).toEqual([404, 'not_found']);
      expect(codeOf(await link(a, [unknownId], {}, options))).toEqual([404, 'not_found']);
    }
    expect(codeOf(await unlink(unknownId))).toEqual([404, 'not_found']);
    expect(codeOf(await service.get(`/v1/releases/${unknownId}/coverage`))).toEqual([404, 'not_found']);
    await service.patch(`/v1/orgs/${org.slug}`, { isHidden: true });
    expect(codeOf(await link(a, [b], {}, { key: writer }))).toEqual([404, 'not_found']);
    expect((await link(a, [b], {}, { key: writer, headers: { 'idempotency-key': 'hidden-things' } })).status).toBe(404);
    expect((await link(a, [b])).status).toBe(201);
    expect(await coverageOf(a, root)).toMatchObject({ role: 'canonical' });
    expect((await service.get(`/v1/releases/${a}/coverage`)).status).toBe(404);
  });
});
