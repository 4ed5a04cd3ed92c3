import { describe, expect, it } from 'vitest';
import { type ChangelogFile, createImportPlanner } from '../../../src/ingest/importing/import-plan.ts';

const file = (changes: Partial<ChangelogFile> = {}): ChangelogFile => ({
  path: 'projects/kit/CHANGELOG.md',
  folderName: 'kit',
  rootName: 'projects',
  text: '## 1.0.0\n- first',
  manifest: null,
  ...changes,
});

const webBaseUrl = 'https://registry.example';
const planner = (orgSlug?: string) => createImportPlanner({ webBaseUrl, orgSlug });

describe('createImportPlanner', () => {
  it('makes a source of a package below the owner of its repository', () => {
    const manifest = { name: '@acme/kit', repository: 'git+https://github.com/Acme-Inc/monorepo.git' };
    expect(planner().plan(file({ manifest }))).toEqual({
      path: 'projects/kit/CHANGELOG.md',
      org: { slug: 'acme-inc', name: 'Acme-Inc' },
      slug: 'acme-kit',
      name: '@acme/kit',
      url: 'https://github.com/Acme-Inc/monorepo',
      packages: [{ ecosystem: 'npm', name: '@acme/kit' }],
      entries: [{ title: '1.0.0', version: '1.0.0', publishedAt: null, content: '- first' }],
    });
  });

  it.each([
    [{ name: '@acme/kit', homepage: 'https://kit.dev' }, 'acme', 'https://kit.dev'],
    [{ name: 'kit' }, 'kit', 'https://www.npmjs.com/package/kit'],
    [{ name: 'kit', repository: 'https://git.example.com/a/kit' }, 'kit', 'https://git.example.com/a/kit'],
    [{ name: 'kit', repository: 'docs/kit' }, 'docs-2', 'https://github.com/docs/kit'],
  ])('of %j it makes the org %s', (manifest, org, url) => {
    expect(planner().plan(file({ manifest }))).toMatchObject({ org: { slug: org }, url });
  });

  it('names what has no package.json after its folder, and never has it fetched', () => {
    expect(planner().plan(file({ folderName: 'tools/Kit' }))).toMatchObject({
      org: { slug: 'projects', name: 'projects' },
      slug: 'tools-kit',
      name: 'tools/Kit',
      url: 'https://registry.example/projects/tools-kit',
      type: 'agent',
      packages: [],
    });
  });

  it('puts everything below the org it is told', () => {
    const manifest = { name: 'kit', repository: 'acme/kit' };
    expect(planner('mine').plan(file({ manifest }))).toMatchObject({ org: { slug: 'mine' }, slug: 'kit' });
  });

  it('gives two things of one org two slugs', () => {
    const { plan } = planner('mine');
    const slugs = ['a/b', 'a-b', 'changelog'].map((folderName) => plan(file({ folderName })));
    expect(slugs).toMatchObject([{ slug: 'a-b' }, { slug: 'a-b-2' }, { slug: 'changelog-2' }]);
  });

  it('says why it skips a file', () => {
    const { plan } = planner();
    const manifest = { name: 'kit' };
    plan(file({ manifest }));
    expect(plan(file({ path: 'b/HISTORY.md', manifest }))).toEqual({
      path: 'b/HISTORY.md',
      reason: 'the releases of kit are taken from projects/kit/CHANGELOG.md',
    });
    expect(plan(file({ path: 'c.md', text: 'nothing' }))).toEqual({
      path: 'c.md',
      reason: 'no heading names a version or a date',
    });
    expect(plan(file({ path: 'd.md', folderName: '…' }))).toEqual({
      path: 'd.md',
      reason: 'no slug can be made of "…"',
    });
  });
});
