import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { releaseChanges } from '../../src/domain/release/fields.ts';
import { type HttpAnswer, type HttpService, rootApiKey, startHttpService } from '../spec/http/http-service.ts';
import { createTestSource, issueTestToken } from '../spec/http/preamble.ts';

let service: HttpService;
let writer: string;

beforeAll(async () => {
  service = await startHttpService();
  writer = await issueTestToken(service, 'write');
});
afterAll(() => service.close());

const root = { key: rootApiKey };
const codeOf = ({ status, body }: HttpAnswer) => [status, body.error.code];
const titlesOf = ({ body }: HttpAnswer): string[] => body.releases.map(({ title }: { title: string }) => title);

const send = (sourceId: string, item: object, options = {}) =>
  service.post(`/v1/sources/${sourceId}/releases`, item, options);

describe('changing a release', () => {
  let sourceId: string;

  beforeAll(async () => {
    sourceId = (await createTestSource(service, 'Changes')).id;
  });

  it('changes what was sent, counts a new text, and null brings the derived value back', async () => {
    const { body: before } = await send(sourceId, { title: 'Was', version: '1.2.0', content: 'One two three.' });
    expect(before.importance).toBe(1); // a text under 15 characters
    const changed = await service.patch(`/v1/releases/${before.id}-was`, {
      title: 'Is',
      importance: 5,
      content: 'hello world, hello again',
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ id: before.id, title: 'Is', importance: 5, contentTokens: 5, revision: 2 });
    const back = await service.patch(`/v1/releases/${before.id}`, { importance: null });
    expect(back.body).toMatchObject({ importance: 3, revision: 3, content: 'hello world, hello again' });
    expect((await service.get(`/v1/releases/${before.id}`)).body).toMatchObject({ importance: 3, title: 'Is' });
    expect(Number(back.headers.get('x-service-position'))).toBeGreaterThan(
      Number(changed.headers.get('x-service-position')),
    );
  });

  it('changes every field of a release', async () => {
    const { body: before } = await send(sourceId, { title: 'Plain', version: '7.0.0', content: 'Some words of old.' });
    const changes = {
      title: 'Every field',
      content: 'Other words.',
      version: '7.0.1-beta',
      url: 'https://example.com/7.0.1',
      publishedAt: '2026-01-02T03:04:05.000Z',
      type: 'rollup',
      prerelease: false,
      summary: 'In short',
      titleGenerated: 'Made up',
      titleShort: 'Short',
      breaking: 'minor',
      importance: 2,
      migrationNotes: 'Nothing to do',
      composition: { bugs: 1, features: 2, enhancements: 3 },
      media: [{ type: 'image', url: 'https://example.com/7.png' }],
    };
    expect(Object.keys(changes).sort()).toEqual(Object.keys(releaseChanges.shape).sort());
    const { status, body } = await service.patch(`/v1/releases/${before.id}`, changes, { key: writer });
    expect([status, body]).toEqual([200, expect.objectContaining({ ...changes, id: before.id, revision: 2 })]);
    expect((await service.get(`/v1/releases/${before.id}`)).body).toMatchObject(changes);
  });

  it('answers as before when nothing differs', async () => {
    const { body } = await send(sourceId, { title: 'Same', version: '1.3.0' });
    const { status, body: same } = await service.patch(`/v1/releases/${body.id}`, { title: 'Same' }, { key: writer });
    expect([status, same.revision]).toEqual([200, 1]);
    expect(same).not.toHaveProperty('suppressed');
  });

  it.each([
    [{}, ''],
    [{ title: null }, 'title'],
    [{ content: null }, 'content'],
    [{ breaking: 'huge' }, 'breaking'],
    [{ version: 'x'.repeat(201) }, 'version'],
    [{ sourceId: 'src_x' }, ''],
  ])('refuses %j', async (changes, path) => {
    const { body } = await send(sourceId, { title: 'Kept', version: '1.4.0' });
    const answer = await service.patch(`/v1/releases/${body.id}`, changes);
    expect(codeOf(answer)).toEqual([400, 'validation_failed']);
    expect(answer.body.error.details.issues[0].path).toBe(path);
  });

  it('finds no release that is unknown', async () => {
    for (const options of [root, { key: writer }]) {
      const answer = await service.patch('/v1/releases/rel_aaaaaaaaaaaaaaaaaaaaa', { title: 'x' }, options);
      expect(codeOf(answer)).toEqual([404, 'not_found']);
      expect(answer.body.error.details).toEqual({ entity: 'release' });
    }
  });
});

describe('erasing a release', () => {
  const filesOf = (folder: string): string[] =>
    readdirSync(folder).flatMap((name) => {
      const path = join(folder, name);
      return statSync(path).isDirectory() ? filesOf(path) : [path];
    });

  const filesHolding = (text: string) =>
    filesOf(service.dataDir).filter((path) => readFileSync(path).includes(Buffer.from(text)));

  it('leaves its text in no file and no answer, and the release known as withdrawn', async () => {
    const { id: sourceId } = await createTestSource(service, 'Erased');
    // Long enough to lie in a body stream of its own; the mark stands at its beginning and at its end.
    const mark = `secret-${randomBytes(12).toString('hex')}`;
    const item = { title: `Leak ${mark}`, version: '9.9.9', content: `${mark} ${'x'.repeat(300_000)} ${mark}` };
    const keyed = { headers: { 'idempotency-key': 'erase-me-later' } };
    const { body } = await send(sourceId, item, keyed);
    const small = await send(sourceId, { ...item, version: '9.9.8', content: `Only ${mark}` });
    // Where every store is a server there are no files to look into.
    expect(filesHolding(mark).length > 0).toBe(filesOf(service.dataDir).length > 0);
    expect(titlesOf(await service.get(`/v1/releases/latest?source=${sourceId}`))).toHaveLength(2);

    expect(codeOf(await service.remove(`/v1/releases/${body.id}`, { key: writer }))).toEqual([
      403,
      'insufficient_scope',
    ]);
    for (const id of [body.id, small.body.id]) {
      const { status, body: answer, headers } = await service.remove(`/v1/releases/${id}`);
      expect([status, answer]).toEqual([200, { deleted: true }]);
      expect(Number(headers.get('x-service-position'))).toBeGreaterThan(0);
    }

    expect(filesHolding(mark)).toEqual([]);
    expect((await service.get(`/v1/releases/${body.id}`, root)).status).toBe(404);
    expect(titlesOf(await service.get(`/v1/releases/latest?source=${sourceId}`))).toEqual([]);
    expect(codeOf(await service.patch(`/v1/releases/${body.id}`, { title: 'Back' }))).toEqual([404, 'not_found']);

    const repeated = await send(sourceId, item, keyed);
    expect(repeated.status).toBe(200);
    expect(repeated.body).toEqual({ id: body.id, result: 'withdrawn' });
    expect(filesHolding(mark)).toEqual([]);
    expect((await service.remove(`/v1/releases/${body.id}`)).body).toEqual({ deleted: true });
  });

  it('finds nothing to erase where nothing was', async () => {
    for (const id of ['rel_aaaaaaaaaaaaaaaaaaaaa', 'nonsense']) {
      expect(codeOf(await service.remove(`/v1/releases/${id}`))).toEqual([404, 'not_found']);
    }
  });
});
