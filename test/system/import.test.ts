import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runRegistry, type ServedRegistry, serveRegistry, stopRegistry } from '../spec/processes/registry-process.ts';
import { createTempFolder } from '../spec/temp-folder.ts';

const folder = createTempFolder();
const projects = join(folder.path, 'projects');
const dataDir = join(folder.path, 'data');
let served: ServedRegistry;

const write = (name: string, text: string): void => {
  const path = join(projects, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

/** On a connection of its own: while an import runs here, nobody notices that a kept one was closed. */
const get = (path: string) => fetch(`${served.url}${path}`, { headers: { connection: 'close' } });

const importJson = (...words: string[]) => {
  const { status, stdout, stderr } = runRegistry(['import', ...words, '--json', '--data', dataDir], {}, folder.path);
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout) as object;
};

beforeAll(async () => {
  write('alpha/package.json', JSON.stringify({ name: '@acme/alpha', repository: 'github:Acme/tools' }));
  write(
    'alpha/CHANGELOG.md',
    '# Changelog\n## [1.1.0] - 2024-02-01\n### Fixed\n- a bug\n## [1.0.0] - 2024-01-01\n- first\n',
  );
  write('alpha/docs/History.md', '## 0.9.0\n- of the same package\n');
  write(
    'beta/changes.md',
    '0.2.0 / 2023-05-05\n==================\n\n  * second\n\n0.1.0 / 2023-04-04\n==================\n',
  );
  write('gamma/NEWS.md', 'Nothing here names a version.\n');
  write('broken/package.json', '{');
  write('broken/CHANGELOG.md', '## 1.0.0\n- lost\n');
  write('alpha/node_modules/left/CHANGELOG.md', '## 7.0.0\n- installed, not ours\n');
  write('beta/notes.md', '## 6.0.0\n- no changelog by its name\n');
  served = await serveRegistry(dataDir, ['--no-demo']);
});

afterAll(async () => {
  await stopRegistry(served);
  folder.remove();
});

// A service runs on the same folder all the time, as it will when an operator imports something.
describe('registry import', () => {
  const skipped = [
    { path: 'projects/broken/CHANGELOG.md', reason: 'its package.json is not JSON' },
    { path: 'projects/gamma/NEWS.md', reason: 'no heading names a version or a date' },
    {
      path: 'projects/alpha/docs/History.md',
      reason: 'the releases of @acme/alpha are taken from projects/alpha/CHANGELOG.md',
    },
  ];

  it('brings in what it finds below a folder and says what it skipped', async () => {
    expect(importJson('projects')).toEqual({
      files: 5,
      orgs: 2,
      sources: 2,
      releases: { inserted: 4, revised: 0, unchanged: 0, withdrawn: 0 },
      skipped,
      skippedInAll: 3,
    });
    const releases = await (await get('/v1/orgs/acme/releases')).json();
    expect(releases).toMatchObject({
      releases: [
        { version: '1.1.0', publishedAt: '2024-02-01T00:00:00.000Z', source: { slug: 'acme-alpha', type: 'github' } },
        { version: '1.0.0' },
      ],
    });
    const beta = await (await get('/v1/orgs/projects/releases')).json();
    expect(beta).toMatchObject({ releases: [{ version: '0.2.0', source: { slug: 'beta', type: 'agent' } }, {}] });
  });

  it('changes nothing the second time', () => {
    expect(importJson('projects')).toEqual({
      files: 5,
      orgs: 0,
      sources: 0,
      releases: { inserted: 0, revised: 0, unchanged: 4, withdrawn: 0 },
      skipped,
      skippedInAll: 3,
    });
  });

  it('takes in what was added to a file', () => {
    write('beta/changes.md', '## 0.3.0\n- third\n## 0.2.0\n- second, told better\n## 0.1.0\n');
    expect(importJson('projects/beta/changes.md', '--org', 'projects')).toMatchObject({
      orgs: 0,
      sources: 0,
      releases: { inserted: 1, revised: 1, unchanged: 1 },
    });
  });

  it('takes files that a pattern names, below one org', () => {
    expect(importJson('projects/*/not?s.md', '--org', 'mine')).toMatchObject({
      files: 1,
      orgs: 1,
      sources: 1,
      releases: { inserted: 1 },
    });
  });

  it('says in a dry run what would come of it, and stores nothing', async () => {
    write('beta/changes.md', '## 0.4.0\n- fourth\n## 0.3.0\n- third\n## 0.2.0\n- second, told again\n');
    write('delta/CHANGELOG.md', '## 1.0.0\n- first\n');
    const dryRun = () =>
      importJson('projects/beta/changes.md', 'projects/delta/CHANGELOG.md', '--org', 'projects', '--dry-run');
    const would = {
      orgs: 0,
      sources: 1,
      releases: { inserted: 2, revised: 1, unchanged: 1, withdrawn: 0 },
      dryRun: true,
    };
    expect(dryRun()).toMatchObject(would);
    expect(dryRun()).toMatchObject(would);
    expect((await get('/v1/orgs/projects/sources/delta')).status).toBe(404);
  });

  const lines = (...releases: object[]): string => releases.map((release) => `${JSON.stringify(release)}\n`).join('');

  it('takes releases one JSON object a line, makes their sources, and names the lines it cannot use', async () => {
    const engine = { org: 'wheels', slug: 'engine', name: 'The engine', url: 'https://example.com/engine' };
    write(
      'releases.ndjson',
      lines(
        { source: engine, title: 'Engine 2.0', version: '2.0.0', publishedAt: '2024-05-01', content: '- faster' },
        { source: { org: 'wheels', slug: 'brakes' }, title: 'Brakes 1.0', version: '1.0.0' },
        { source: engine, title: 'Engine 1.0', version: '1.0.0', publishedAt: '2024-04-01' },
      ) + 'no json\n\n{"title":"nowhere"}\n',
    );
    const skippedLines = [
      { path: 'projects/releases.ndjson:4', reason: 'it is not JSON' },
      { path: 'projects/releases.ndjson:6', reason: expect.stringContaining('source: ') },
    ];
    const none = { inserted: 0, revised: 0, unchanged: 0, withdrawn: 0 };
    const result = { files: 1, skipped: skippedLines, skippedInAll: 2 };
    const made = { ...result, orgs: 1, sources: 2, releases: { ...none, inserted: 3 } };
    expect(importJson('projects/releases.ndjson', '--dry-run')).toEqual({ ...made, dryRun: true });
    expect(importJson('projects/releases.ndjson')).toEqual(made);
    const unchanged = { ...result, orgs: 0, sources: 0, releases: { ...none, unchanged: 3 } };
    expect(importJson('projects/*.ndjson')).toEqual(unchanged);
    const source = await (await get('/v1/orgs/wheels/sources/engine')).json();
    expect(source).toMatchObject({
      name: 'The engine',
      releases: [{ version: '2.0.0', content: '- faster' }, { version: '1.0.0' }],
    });
  });

  it('prints what it did as a table', () => {
    const { stdout } = runRegistry(['import', 'projects/releases.ndjson', '--data', dataDir], {}, folder.path);
    expect(stdout).toMatch(/^WHAT +COUNT\nfiles +1\n[^]*\nunchanged +3\n[^]*\nskipped +2\n$/);
  });

  it('answers 2 to what it cannot take', () => {
    const refused = [
      ...[['import'], ['import', 'nowhere'], ['import', 'nowhere.ndjson'], ['import', 'projects', '--org', 'No Slug']],
      ['import', 'projects/releases.ndjson', '--org', 'projects'],
    ];
    for (const words of refused) {
      const { status, stderr } = runRegistry([...words, '--data', dataDir], {}, folder.path);
      expect(stderr).toContain('registry import <folder, glob or .ndjson file>…');
      expect(status).toBe(2);
    }
  });
});

describe('registry token create', () => {
  const create = (...words: string[]) => runRegistry(['token', 'create', ...words, '--data', dataDir]);

  it('prints the token once, as JSON too', () => {
    const made = create('--name', 'ci', '--scope', 'admin', '--expires', '2999-01-01', '--json');
    expect(JSON.parse(made.stdout)).toEqual({
      token: expect.stringMatching(/^relk_\w{12}_\w{32}$/),
      id: expect.stringMatching(/^tok_/),
      name: 'ci',
      scopes: ['admin'],
      expiresAt: '2999-01-01T00:00:00.000Z',
    });
  });

  it.each([
    [['--scope', 'admin'], '--name'],
    [['--name', 'a', '--scope', 'root'], '--scope'],
    [['--name', 'a', '--scope', 'read', '--expires', '2001-01-01'], '--expires'],
    [['--name', 'a', '--scope', 'read', '--port', '1'], 'takes no --port'],
  ])('%j is answered with 2', (words, says) => {
    const { status, stderr, stdout } = create(...words);
    expect(stderr.split('\n')[0]).toContain(says);
    expect(stdout).toBe('');
    expect(status).toBe(2);
  });
});
