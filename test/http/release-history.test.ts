import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpAnswer, type HttpService, rootApiKey, startHttpService } from '../spec/http/http-service.ts';
import { createTestReleases } from '../spec/http/preamble.ts';

let service: HttpService;

beforeAll(async () => {
  service = await startHttpService();
});
afterAll(() => service.close());

const root = { key: rootApiKey };
const codeOf = ({ status, body }: HttpAnswer) => [status, body.error.code];
const historyOf = (id: string, search = '', options = {}) =>
  service.get(`/v1/releases/${id}/history${search}`, options);
const digest = (chars: number) => ({ hash: expect.stringMatching(/^[0-9a-f]{64}$/), chars });

describe('the history of a release', () => {
  it('tells every change with its cause, the newest first, and no text', async () => {
    const { ids } = await createTestReleases(service, 'Told', 2, () => ({ content: 'A first text.' }));
    const [id = '', other = ''] = ids;
    await service.patch(`/v1/releases/${id}`, { title: 'Second', content: 'Another text.' });
    await service.post(`/v1/releases/${id}/suppress`, { reason: 'Spam' });
    await service.post(`/v1/releases/${id}/unsuppress`, undefined);
    await service.post(`/v1/releases/${other}/coverage`, { coverageIds: [id] });
    const { status, body, headers } = await historyOf(`${id}-any-words`);
    expect([status, body.pagination]).toEqual([200, { nextCursor: null, limit: 20 }]);
    expect(body.items).toEqual([
      item(2, 'coverage', [{ field: 'coverageOf', from: null, to: other }]),
      item(2, 'unsuppress', [{ field: 'suppressed', from: true, to: false }]),
      item(2, 'suppress', [{ field: 'suppressed', from: false, to: true }]),
      item(2, 'edit', [
        { field: 'title', from: 'Told 0', to: 'Second' },
        { field: 'summary', from: 'A first text.', to: 'Another text.' },
        { field: 'content', from: digest(13), to: digest(13) },
      ]),
      item(1, 'ingest', expect.arrayContaining([{ field: 'content', from: null, to: digest(13) }])),
    ]);
    const positions: number[] = body.items.map(({ position }: { position: number }) => position);
    expect(positions).toEqual([...positions].sort((a, b) => b - a));
    expect(headers.get('cache-control')).toBe('public, max-age=120, stale-while-revalidate=60');
    // Why it was taken down is for admins only.
    const forAdmin = await historyOf(id, '', root);
    expect(forAdmin.body.items[2].changes).toContainEqual({ field: 'suppressedReason', from: null, to: 'Spam' });
  });

  const item = (revision: number, cause: string, changes: unknown) => ({
    revision,
    cause,
    changes,
    position: expect.any(Number),
    at: expect.stringMatching(/\.\d{3}Z$/),
  });

  it('tells only admins what was done while the source was hidden', async () => {
    const { source, ids } = await createTestReleases(service, 'Veiled', 1);
    const [id = ''] = ids;
    const titled = (title: string) => service.patch(`/v1/releases/${id}`, { title });
    const hidden = (isHidden: boolean) => service.patch(`/v1/sources/${source.id}`, { isHidden });
    await titled('Before');
    await hidden(true);
    await titled('A secret');
    await titled('Made good');
    await hidden(false);
    await titled('After');
    const titlesIn = ({ body }: HttpAnswer): unknown[] =>
      body.items.map(({ changes }: { changes: { field: string; to: unknown }[] }) =>
        changes.flatMap(({ field, to }) => (field === 'title' ? [to] : [])),
      );
    expect(titlesIn(await historyOf(id))).toEqual([['After'], ['Before'], ['Veiled 0']]);
    const { nextCursor } = (await historyOf(id, '?limit=1')).body.pagination;
    expect(titlesIn(await historyOf(id, `?limit=1&cursor=${nextCursor}`))).toEqual([['Before']]);
    expect(titlesIn(await historyOf(id, '', root))).toEqual([
      ['After'],
      ['Made good'],
      ['A secret'],
      ['Before'],
      ['Veiled 0'],
    ]);
  });

  it('tells only admins what was done while the release was taken down', async () => {
    const { ids } = await createTestReleases(service, 'Down', 1);
    const [id = ''] = ids;
    await service.post(`/v1/releases/${id}/suppress`, undefined);
    await service.patch(`/v1/releases/${id}`, { title: 'A secret' });
    await service.patch(`/v1/releases/${id}`, { title: 'Made good' });
    await service.post(`/v1/releases/${id}/unsuppress`, undefined);
    await service.patch(`/v1/releases/${id}`, { title: 'Told' });
    const causesOf = ({ body }: HttpAnswer) => body.items.map(({ cause }: { cause: string }) => cause);
    const seen = await historyOf(id);
    expect(causesOf(seen)).toEqual(['edit', 'unsuppress', 'suppress', 'ingest']);
    expect(seen.text).not.toContain('A secret');
    expect(causesOf(await historyOf(id, '', root))).toEqual([
      'edit',
      'unsuppress',
      'edit',
      'edit',
      'suppress',
      'ingest',
    ]);
    const first = (await historyOf(id, '?limit=2')).body;
    expect(causesOf(await historyOf(id, `?limit=2&cursor=${first.pagination.nextCursor}`))).toEqual([
      'suppress',
      'ingest',
    ]);
  });

  it('comes in pages, by a cursor that holds for it alone', async () => {
    const { ids } = await createTestReleases(service, 'Paged', 2);
    const [id = '', other = ''] = ids;
    for (const title of ['One', 'Two', 'Three']) await service.patch(`/v1/releases/${id}`, { title });
    const whole = (await historyOf(id)).body.items;
    const found: unknown[] = [];
    let cursor: string | null = null;
    do {
      const { body }: HttpAnswer = await historyOf(id, `?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`);
      found.push(...body.items);
      cursor = body.pagination.nextCursor;
    } while (cursor !== null);
    expect([found.length, found]).toEqual([4, whole]);
    const { nextCursor } = (await historyOf(id, '?limit=1')).body.pagination;
    expect(codeOf(await historyOf(other, `?cursor=${nextCursor}`))).toEqual([400, 'invalid_cursor']);
    expect(codeOf(await historyOf(id, '?cursor=nonsense'))).toEqual([400, 'invalid_cursor']);
    expect(codeOf(await historyOf(id, '?limit=0'))).toEqual([400, 'invalid_parameter']);
  });

  it('is seen by those who see the release', async () => {
    const { source, ids } = await createTestReleases(service, 'Veiled', 3);
    const [suppressed = '', erased = '', hidden = ''] = ids;
    await service.post(`/v1/releases/${suppressed}/suppress`, undefined);
    await service.remove(`/v1/releases/${erased}?hard=true`);
    expect(codeOf(await historyOf(suppressed))).toEqual([404, 'not_found']);
    expect((await historyOf(suppressed, '', root)).status).toBe(200);
    for (const options of [{}, root]) expect(codeOf(await historyOf(erased, '', options))).toEqual([404, 'not_found']);
    await service.patch(`/v1/sources/${source.id}`, { isHidden: true });
    expect(codeOf(await historyOf(hidden))).toEqual([404, 'not_found']);
    expect((await historyOf(hidden, '', root)).status).toBe(200);
    expect(codeOf(await historyOf('rel_nobody'))).toEqual([404, 'not_found']);
  });
});
