import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countTokens } from '../../src/adapters/tokenizer/count-tokens.ts';
import { type HttpAnswer, type HttpService, startHttpService } from '../spec/http/http-service.ts';
import { createTestOrg, issueTestTokens } from '../spec/http/preamble.ts';

let service: HttpService;
let writer: string;

beforeAll(async () => {
  service = await startHttpService();
  ({ writer } = await issueTestTokens(service));
});
afterAll(() => service.close());

const codeOf = ({ status, body }: HttpAnswer) => [status, body.error.code, body.error.details?.entity];
const positionOf = ({ headers }: HttpAnswer) => Number(headers.get('x-service-position'));
const put = (path: string, body: unknown, key?: string) =>
  service.call('PUT', `/v1${path}/changelog`, { body, ...(key && { key }) });
const read = (path: string, query = '') => service.get(`/v1${path}/changelog${query}`);

/** A repository of an org of the same name; answers the two paths that lead to it. */
const createRepository = async (name: string) => {
  const slug = name.toLowerCase();
  const { id: orgId } = await createTestOrg(service, name);
  const source = await service.create('/v1/sources', { name, url: `https://github.com/${slug}/rocket.git`, orgId });
  return { ...source, byItself: `/sources/${source.id}`, belowOrg: `/orgs/${slug}/sources/${slug}` };
};

const example = '# A\naaaa\n## B\nbb\n## C\ncc\n';

describe('a changelog file', () => {
  it('is stored, answered without its content and shown with it', async () => {
    const { byItself, belowOrg, id } = await createRepository('Filed');
    const { status, body } = await put(byItself, { path: 'docs/CHANGES ä.md', content: example }, writer);
    const address = 'https://github.com/filed/rocket';
    const file = {
      path: 'docs/CHANGES ä.md',
      filename: 'CHANGES ä.md',
      url: `${address}/blob/HEAD/docs/CHANGES%20%C3%A4.md`,
      rawUrl: `${address}/raw/HEAD/docs/CHANGES%20%C3%A4.md`,
      bytes: 25,
      totalChars: 25,
      totalTokens: countTokens(example),
      truncated: false,
      fetchedAt: body.fetchedAt,
    };
    expect([status, body]).toEqual([200, file]);
    const { path, filename, url, bytes, fetchedAt } = file;
    const files = [{ path, filename, url, bytes, fetchedAt }];
    const whole = { ...file, content: example, offset: 0, limit: 25, nextOffset: null, files };
    expect((await read(byItself)).body).toEqual(whole);
    expect((await read(belowOrg)).body).toEqual(whole);
    const detail = await service.get(`/v1${belowOrg}`);
    expect(detail.body).toMatchObject({ hasChangelogFile: true, changelogUrl: file.url });
    const named = await service.patch(`/v1/sources/${id}`, { metadata: { changelogUrl: 'https://filed.example/' } });
    expect(named.body.changelogUrl).toBe('https://filed.example/');
  });

  it('stored again replaces the one before; the same again writes nothing', async () => {
    const { byItself, belowOrg } = await createRepository('Again');
    const file = {
      path: 'CHANGELOG.md',
      content: example,
      url: 'https://again.example/',
      rawUrl: 'https://raw.example/',
    };
    const first = await put(byItself, file);
    const same = await put(belowOrg, file);
    expect([same.body, positionOf(same)]).toEqual([first.body, positionOf(first)]);
    expect(first.body).toMatchObject({ url: file.url, rawUrl: file.rawUrl });
    for (const content of ['# Other\n', example, '']) {
      const answer = await put(byItself, { ...file, content });
      expect(answer.status).toBe(200);
      expect(positionOf(answer)).toBeGreaterThan(positionOf(first));
      expect((await read(byItself)).body.content).toBe(content);
    }
  });

  it('is the one that is named, else the one that is meant', async () => {
    const { byItself } = await createRepository('Several');
    for (const path of ['packages/a/CHANGELOG.md', 'NEWS.md', 'docs/CHANGELOG.md', 'history.md']) {
      await put(byItself, { path, content: `# ${path}\n` });
    }
    const { body } = await read(byItself);
    expect(body.path).toBe('history.md');
    expect(body.files.map(({ path }: { path: string }) => path)).toEqual([
      'history.md',
      'NEWS.md',
      'docs/CHANGELOG.md',
      'packages/a/CHANGELOG.md',
    ]);
    expect((await read(byItself, '?path=docs/CHANGELOG.md')).body.content).toBe('# docs/CHANGELOG.md\n');
    expect(codeOf(await read(byItself, '?path=none.md'))).toEqual([404, 'not_found', 'changelog']);
  });

  it('is of a repository only', async () => {
    const { byItself, id } = await createRepository('Retyped');
    expect(codeOf(await read(byItself))).toEqual([404, 'not_found', 'changelog']);
    await put(byItself, { path: 'CHANGELOG.md', content: example });
    await service.patch(`/v1/sources/${id}`, { type: 'feed' });
    expect(codeOf(await read(byItself))).toEqual([404, 'not_found', 'changelog']);
    const refused = await put(byItself, { path: 'CHANGELOG.md', content: example });
    expect(codeOf(refused).slice(0, 2)).toEqual([400, 'validation_failed']);
    expect(refused.body.error.message).toContain('`feed`');
    expect(codeOf(await read('/sources/nobody'))).toEqual([404, 'not_found', 'source']);
  });

  it('of the longest text that is allowed can be read in slices, exactly', async () => {
    const { byItself } = await createRepository('Long');
    const section = (n: number) => `## ${n}\n${'Fixed "it" – für alle 🚀\n'.repeat(40)}`;
    const sections = Array.from({ length: 4_000 }, (_, n) => section(n)).join('');
    const content = sections + 'x'.repeat(5 * 1024 * 1024 - Buffer.byteLength(sections));
    const { status, body } = await put(byItself, { path: 'CHANGELOG.md', content });
    expect([status, body.bytes, body.totalTokens]).toEqual([200, 5_242_880, Math.ceil(content.length / 4)]);
    expect((await read(byItself)).body.content === content).toBe(true);
    const { body: slice } = await read(byItself, '?offset=3000001&tokens=20000');
    expect(content.slice(slice.offset, slice.offset + slice.limit) === slice.content).toBe(true);
    expect(slice.content.startsWith('## ')).toBe(true);
    expect(slice.nextOffset).toBe(slice.offset + slice.content.length);
    expect([slice.tokens, slice.sliceTokens]).toEqual([20_000, countTokens(slice.content)]);
    const tooLong = await put(byItself, { path: 'CHANGELOG.md', content: `${content}x` });
    expect(codeOf(tooLong).slice(0, 2)).toEqual([400, 'validation_failed']);
  });

  it('written by ten at once is one of theirs, whole', async () => {
    const { byItself } = await createRepository('Contested');
    const contents = Array.from({ length: 10 }, (_, n) => `# ${n}\n${`${n}`.repeat(300_000)}`);
    const answers = await Promise.all(contents.map((content) => put(byItself, { path: 'CHANGELOG.md', content })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(contents).toContain((await read(byItself)).body.content);
  });
});

describe('a slice of a changelog file', () => {
  let repository: { readonly byItself: string };

  beforeAll(async () => {
    repository = await createRepository('Sliced');
    await put(repository.byItself, { path: 'CHANGELOG.md', content: example });
  });

  it.each([
    ['', 0, 25, 25, null],
    ['?limit=12', 0, 9, 12, 9],
    ['?limit=4', 0, 9, 4, 9],
    ['?offset=1&limit=100', 9, 25, 100, null],
    ['?offset=9&limit=8', 9, 17, 8, 17],
    ['?offset=18', 25, 25, 40_000, null],
    ['?offset=9007199254740993', 25, 25, 40_000, null],
    [`?offset=${'9'.repeat(400)}`, 25, 25, 40_000, null],
    ['?offset=0', 0, 25, 40_000, null],
    ['?limit=600000', 0, 25, 500_000, null],
  ])('%s', async (query, offset, end, limit, nextOffset) => {
    const { body } = await read(repository.byItself, query);
    const { content, offset: from, limit: echoed, nextOffset: next } = body;
    expect({ content, from, echoed, next }).toEqual({
      content: example.slice(offset, end),
      from: offset,
      echoed: limit,
      next: nextOffset,
    });
    expect('tokens' in body || 'sliceTokens' in body).toBe(false);
  });

  it('by tokens goes before characters and says how many it has', async () => {
    const two = example.slice(0, 17);
    const { body } = await read(repository.byItself, `?tokens=${countTokens(two)}&limit=1`);
    expect(body).toMatchObject({
      content: two,
      offset: 0,
      limit: 17,
      nextOffset: 17,
      tokens: countTokens(two),
      sliceTokens: countTokens(two),
      totalTokens: countTokens(example),
    });
    expect((await read(repository.byItself, '?tokens=1')).body).toMatchObject({ nextOffset: 9, tokens: 1 });
    expect((await read(repository.byItself, '?tokens=999999')).body).toMatchObject({
      nextOffset: null,
      tokens: 200_000,
    });
  });

  it.each(['offset=-1', 'offset=x', 'limit=0', 'limit=1.5', 'tokens=0', 'tokens=ten', 'limit=1&limit=2'])(
    'by %s is refused',
    async (query) => {
      const answer = await read(repository.byItself, `?${query}`);
      expect(codeOf(answer).slice(0, 2)).toEqual([400, 'invalid_parameter']);
    },
  );

  it('may be kept for a minute by those who read without a credential', async () => {
    const { headers } = await read(repository.byItself, '?limit=12');
    expect(headers.get('cache-control')).toContain('max-age=60');
    expect(headers.get('etag')).toMatch(/^"[\w-]{22}"$/);
  });
});
