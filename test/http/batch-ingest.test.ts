import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReleaseHint } from '../../src/compose/release-hint.ts';
import { eventually } from '../spec/eventually.ts';
import { type HttpAnswer, type HttpService, startHttpService } from '../spec/http/http-service.ts';
import { createTestOrgWithSource, issueTestToken } from '../spec/http/preamble.ts';

let service: HttpService;
let sourceId: string;

const codeOf = ({ status, body }: HttpAnswer) => [status, body.error.code];
const send = (body: unknown, options = {}) => service.post(`/v1/sources/${sourceId}/releases/batch`, body, options);
const countOf = async () => (await service.get('/v1/orgs/batcher')).body.releaseCount;

beforeAll(async () => {
  service = await startHttpService();
  sourceId = (await createTestOrgWithSource(service, 'Batcher')).source.id;
});
afterAll(() => service.close());

const versions = (from: number, count: number, fields: object = {}) =>
  Array.from({ length: count }, (_, index) => ({
    title: `v${from + index}`,
    version: `${from + index}.0.0`,
    ...fields,
  }));

describe('a batch', () => {
  it('says of each release what became of it', async () => {
    const first = await send({ releases: versions(1, 3) });
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ total: 3, inserted: 3, revised: 0, unchanged: 0, withdrawn: 0 });
    const ids = first.body.items.map(({ id }: { id: string }) => id);
    expect(first.body.insertedIds).toEqual(ids);
    const [one, two, three] = versions(1, 3);
    await service.remove(`/v1/releases/${ids[2]}`);
    const second = await send({ releases: [three, { ...two, title: 'Two' }, one, ...versions(4, 1)] });
    expect(second.body).toEqual({
      total: 4,
      inserted: 1,
      revised: 1,
      unchanged: 1,
      withdrawn: 1,
      insertedIds: [second.body.items[3].id],
      items: [
        { index: 0, id: ids[2], result: 'withdrawn' },
        { index: 1, id: ids[1], result: 'revised' },
        { index: 2, id: ids[0], result: 'unchanged' },
        { index: 3, id: expect.stringMatching(/^rel_/), result: 'inserted' },
      ],
    });
    expect(Number(second.headers.get('x-service-position'))).toBeGreaterThan(
      Number(first.headers.get('x-service-position')),
    );
    // What is answered can be read.
    expect((await service.get(`/v1/releases/${ids[1]}`)).body.title).toBe('Two');
  });

  it('is known to whoever hints which releases are not there yet', async () => {
    const { body } = await send({ releases: versions(90, 2) });
    const known = body.insertedIds.map((id: string) => `release-${id}`);
    const { live, log } = service.registry;
    const hinted = await createReleaseHint(live, log).knownStreams([...known, 'release-rel_aaaaaaaaaaaaaaaaaaaaa']);
    expect(hinted).toEqual(new Set(known));
  });

  it('applies items of one identity in order', async () => {
    const { body } = await send({
      releases: [
        { title: 'Draft', version: '20.0.0', content: 'First words.' },
        { title: 'Final', version: 'v20.0.0' },
        { title: 'Final', version: 'v20.0.0' },
      ],
    });
    expect(body.items.map(({ result }: { result: string }) => result)).toEqual(['inserted', 'revised', 'unchanged']);
    expect(new Set(body.items.map(({ id }: { id: string }) => id)).size).toBe(1);
    expect(body.insertedIds).toHaveLength(1);
    expect((await service.get(`/v1/releases/${body.insertedIds[0]}`)).body).toMatchObject({
      title: 'Final',
      content: 'First words.',
      contentTokens: 3,
    });
  });

  it('takes 500 items and 8 MiB, and counts every text', async () => {
    const before = await countOf();
    const content = 'hello world '.repeat(1_000);
    const { status, body } = await send({ releases: versions(1_000, 500, { content }) });
    expect([status, body.inserted]).toEqual([200, 500]);
    // A batch is answered after two seconds however far the read models are.
    await eventually('all of them are counted', async () => (await countOf()) === before + 500);
    const { body: last } = await service.get(`/v1/releases/${body.insertedIds[499]}`);
    expect([last.content, last.contentTokens]).toEqual([content, 2_001]);
  });

  it('goes to a source below its org too', async () => {
    const path = '/v1/orgs/batcher/sources/batcher/releases/batch';
    expect((await service.post(path, { releases: versions(30, 1) })).body.inserted).toBe(1);
    const missing = await service.post('/v1/orgs/batcher/sources/none/releases/batch', { releases: versions(30, 1) });
    expect(codeOf(missing)).toEqual([404, 'not_found']);
    expect(missing.body.error.details).toEqual({ entity: 'source' });
  });

  it('is refused as a whole, with the place of every fault, and nothing is written', async () => {
    const before = await countOf();
    const releases: object[] = versions(40, 6);
    releases[1] = { ...releases[1], importance: 9, colour: 'red' };
    releases[3] = { version: '43.0.0' };
    releases[4] = {
      ...releases[4],
      media: [
        { type: 'image', url: 'https://a.example' },
        { type: 'painting', url: 'x' },
      ],
    };
    const answer = await send({ releases });
    expect(codeOf(answer)).toEqual([400, 'validation_failed']);
    const paths = answer.body.error.details.issues.map(({ path }: { path: string }) => path);
    expect(new Set(paths)).toEqual(
      new Set([
        'releases[1].importance',
        'releases[1]',
        'releases[3].title',
        'releases[4].media[1].type',
        'releases[4].media[1].url',
      ]),
    );
    expect(await countOf()).toBe(before);
  });

  it.each([
    [{}, 'releases'],
    [{ releases: [] }, 'releases'],
    [{ releases: versions(1, 501) }, 'releases'],
    [{ releases: 'all' }, 'releases'],
    [{ releases: [null] }, 'releases[0]'],
    [{ releases: versions(1, 1), emit: 'no' }, 'emit'],
    [{ releases: versions(1, 1), extra: 1 }, ''],
  ])('refuses %#', async (body, path) => {
    const answer = await send(body);
    expect(codeOf(answer)).toEqual([400, 'validation_failed']);
    expect(answer.body.error.details.issues).toEqual([{ path, message: expect.any(String) }]);
  });

  it('answers a body of a million empty items with one fault', async () => {
    const answer = await send(`{"releases":[${'{},'.repeat(1_000_000)}{}]}`);
    expect(codeOf(answer)).toEqual([400, 'validation_failed']);
    expect(answer.body.error.details.issues).toHaveLength(1);
  });

  it('is too large above 8 MiB', async () => {
    const answer = await send(JSON.stringify({ releases: [{ title: 'x', content: 'x'.repeat(8 * 1024 * 1024) }] }));
    expect(codeOf(answer)).toEqual([413, 'payload_too_large']);
    expect(answer.body.error.details).toEqual({ limitBytes: 8 * 1024 * 1024 });
  });

  it('needs a writer', async () => {
    const reader = await issueTestToken(service, 'read');
    expect(codeOf(await send({ releases: versions(1, 1) }, { key: null }))).toEqual([401, 'unauthorized']);
    expect(codeOf(await send({ releases: versions(1, 1) }, { key: reader }))).toEqual([403, 'insufficient_scope']);
  });
});

describe('announcing', () => {
  const typesOf = async (releaseId: string) => {
    const { events } = await service.registry.eventStore.read(`release-${releaseId}`);
    return events.map(({ type }) => type);
  };
  const idsOf = async (body: object) => (await send(body)).body.insertedIds as string[];

  it('is part of ingesting, unless the sender says no', async () => {
    const [loud] = await idsOf({ releases: versions(50, 1) });
    expect(await typesOf(loud ?? '')).toEqual(['ReleaseIndexed.v1', 'ReleaseAnnounced.v1']);
    const [quiet] = await idsOf({ releases: versions(51, 1), emit: false });
    expect(await typesOf(quiet ?? '')).not.toContain('ReleaseAnnounced.v1');
    const [explicit] = await idsOf({ releases: versions(52, 1), emit: true });
    expect(await typesOf(explicit ?? '')).toContain('ReleaseAnnounced.v1');
  });

  it('names the sender as its cause and actor', async () => {
    const [id] = await idsOf({ releases: versions(60, 1) });
    const { events } = await service.registry.eventStore.read(`release-${id}`);
    expect(events[0]?.metadata).toMatchObject({ actor: 'root', cause: 'ingest' });
  });
});
