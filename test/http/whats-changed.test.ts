import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpAnswer, type HttpService, rootApiKey, startHttpService } from '../spec/http/http-service.ts';
import { createTestOrg, createTestSource } from '../spec/http/preamble.ts';

let service: HttpService;
let sourceId: string;

const codeOf = ({ status, body }: HttpAnswer) => [status, body.error.code, body.error.details?.parameter];
const ask = (params: Readonly<Record<string, string>>, options = {}) =>
  service.get(`/v1/whats-changed?${new URLSearchParams({ from: '1.0', to: '2.0', ...params })}`, options);

beforeAll(async () => {
  service = await startHttpService();
  const org = await createTestOrg(service, 'Acme');
  const packages = [{ ecosystem: 'npm', name: '@acme/tool' }];
  const url = 'https://github.com/acme/tool';
  ({ id: sourceId } = await createTestSource(service, 'Tool', { orgId: org.id, packages, url }));
  const releases = [
    { title: 'One', version: '1.0.0', publishedAt: '2026-01-01' },
    {
      title: 'Wings',
      version: 'v1.1.0',
      publishedAt: '2026-02-01',
      content: '## Added\n- Wings\n\n## How to migrate\nPut them on.\n',
    },
    {
      title: 'Two',
      version: '2.0.0',
      publishedAt: '2026-03-01',
      content: '## Breaking changes\n- The old engine is gone\n',
    },
    { title: 'Later', version: '2.0.0-later', publishedAt: '2199-01-01' },
  ];
  const { status, text } = await service.post(`/v1/sources/${sourceId}/releases/batch`, { releases });
  expect(status, text).toBe(200);
});
afterAll(() => service.close());

describe('what changed', () => {
  it('is told with summaries, verdicts and notes', async () => {
    const { status, body, headers } = await ask({ package: '@acme/tool', ecosystem: 'npm' });
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=30');
    expect(body).toMatchObject({
      status: 'resolved',
      package: '@acme/tool',
      ecosystem: 'npm',
      source: { sourceId, sourceSlug: 'tool', orgSlug: 'acme' },
      count: 2,
      truncated: false,
      breaking: 'major',
      rangeBasis: 'version',
      resolvedVia: 'package',
      entries: [
        {
          title: 'Wings',
          version: 'v1.1.0',
          summary: 'Added Wings How to migrate Put them on.',
          migrationNotes: 'Put them on.',
        },
        { title: 'Two', version: '2.0.0', breaking: 'major' },
      ],
    });
  });

  it('shows a release as soon as it is written', async () => {
    const source = await createTestSource(service, 'Soon');
    const { headers } = await service.post(`/v1/sources/${source.id}/releases`, { title: 'Now', version: '1.5' });
    const position = headers.get('x-service-position')!;
    const { body } = await ask({ package: 'soon' }, { headers: { 'x-service-min-position': position } });
    expect(body).toMatchObject({
      count: 1,
      source: { orgSlug: null },
      entries: [{ version: '1.5', publishedAt: null }],
    });
  });

  it('follows a release that is changed, taken down and erased', async () => {
    const source = await createTestSource(service, 'Moving');
    const { id } = await service.create(`/v1/sources/${source.id}/releases`, { title: 'Moves', version: '1.5' });
    const versions = async () =>
      (await ask({ package: 'moving' })).body.entries.map(({ version }: { version: string }) => version);
    expect(await versions()).toEqual(['1.5']);
    await service.patch(`/v1/releases/${id}`, { version: '3.0' });
    expect(await versions()).toEqual([]);
    await service.patch(`/v1/releases/${id}`, { version: '1.7', migrationNotes: 'Mind the gap' });
    expect((await ask({ package: 'moving' })).body.entries).toMatchObject([
      { version: '1.7', migrationNotes: 'Mind the gap' },
    ]);
    await service.post(`/v1/releases/${id}/suppress`, {});
    expect(await versions()).toEqual([]);
    await service.post(`/v1/releases/${id}/unsuppress`, undefined);
    expect(await versions()).toEqual(['1.7']);
    await service.remove(`/v1/releases/${id}?hard=true`);
    expect(await versions()).toEqual([]);
  });

  it('does not know what nobody tracks, what is hidden and what is deleted', async () => {
    const unknown = async (params: Readonly<Record<string, string>>) => {
      const { status, body } = await ask(params);
      expect([status, body.status, body.entries]).toEqual([200, 'unknown', []]);
      return body.reason;
    };
    expect(await unknown({ package: 'a'.repeat(10_000) })).toBe('untracked');
    expect(await unknown({ package: 'acme/tool' })).toBe('ecosystem_required');
    expect(await unknown({ package: 'x'.repeat(200) + '/y', ecosystem: 'github' })).toBe('untracked');
    const source = await createTestSource(service, 'Shy', { isHidden: true });
    expect(await unknown({ package: 'shy' })).toBe('untracked');
    expect(await unknown({ package: source.id })).toBe('untracked');
    expect((await ask({ package: source.id }, { key: rootApiKey })).body.status).toBe('resolved');
    await service.remove(`/v1/sources/${source.id}`);
    const { body } = await ask({ package: source.id }, { key: rootApiKey });
    expect(body).toMatchObject({ status: 'unknown', reason: 'untracked' });
  });

  it('takes bounds of any length and kind', async () => {
    for (const to of ['9'.repeat(5_000), 'a-'.repeat(2_500), '1.'.repeat(2_500), '🚀', 'v', '2.0.0-ü.🚀']) {
      const { status, body } = await ask({ package: 'tool', to });
      expect([status, body.to], to.slice(0, 10)).toEqual([200, to]);
    }
  });
});

describe('what is refused', () => {
  it.each([
    ['from=1&to=2', 'missing_parameter', 'package'],
    ['package=tool&to=2', 'missing_parameter', 'from'],
    ['package=tool&from=1', 'missing_parameter', 'to'],
    ['package=&from=1&to=2', 'missing_parameter', 'package'],
    ['package=tool&from=&to=2', 'missing_parameter', 'from'],
    ['package=tool&from=1&to=2&ecosystem=maven', 'invalid_parameter', 'ecosystem'],
    ['package=tool&from=1&to=2&ecosystem=NPM', 'invalid_parameter', 'ecosystem'],
    ['package=tool&package=tool&from=1&to=2', 'invalid_parameter', 'package'],
    ['package=to%00ol&from=1&to=2', 'invalid_parameter', 'package'],
    ['package=tool&from=%00&to=2', 'invalid_parameter', 'from'],
  ])('%s', async (search, code, parameter) => {
    expect(codeOf(await service.get(`/v1/whats-changed?${search}`))).toEqual([400, code, parameter]);
  });

  it('names the ecosystems', async () => {
    const { body } = await ask({ package: 'tool', ecosystem: 'x' });
    expect(body.error.details.allowed).toEqual(['npm', 'pypi', 'github']);
  });

  it('is a slug that several sources share', async () => {
    const other = await createTestOrg(service, 'Other');
    await createTestSource(service, 'Tool', { orgId: other.id });
    const { status, body } = await ask({ package: 'tool' });
    expect([status, body.error.code]).toEqual([409, 'ambiguous_slug']);
    expect(body.error.details.candidates.map(({ orgSlug }: { orgSlug: string }) => orgSlug)).toEqual(['acme', 'other']);
    expect((await ask({ package: sourceId })).body.count).toBe(2);
  });
});
