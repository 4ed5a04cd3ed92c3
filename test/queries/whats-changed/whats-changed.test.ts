import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { whatsChanged, type WhatsChangedInput } from '../../../queries/whats-changed/whats-changed.ts';
import type { QueryDeps } from '../../../queries/shape/query-deps.ts';
import { neverFetched } from '../../../src/records/fetch-state.ts';
import { linked, suppressed } from '../../spec/events/release-events.ts';
import { openSampleRegistry, releaseIdOf, type SampleRegistry, sourceIdOf } from '../../spec/worlds/sample-registry.ts';

const nowMs = Date.parse('2026-03-15T12:00:00.000Z');
const day = (number: number) => `2026-03-${String(number).padStart(2, '0')}T00:00:00.000Z`;

let registry: SampleRegistry;
let deps: QueryDeps;

beforeAll(async () => {
  registry = await openSampleRegistry();
  const { addOrg, addSource, source, catalogue, models } = registry;
  deps = {
    models,
    catalogue,
    fetchStates: async (ids) => ids.map(() => neverFetched),
    embeddedAt: async () => null,
    webBaseUrl: 'https://registry.example',
  };
  await addOrg('acme');
  const packages = [
    { ecosystem: 'npm' as const, name: '@acme/demo' },
    { ecosystem: 'pypi' as const, name: 'acme-demo' },
  ];
  await addSource('demo', 'acme', { packages, url: 'https://github.com/Acme/Demo' });
  await addVersions('demo', ['1.0.0', '1.1.0-beta.1', '1.1.0', '1.2.0', '2.0.0-rc.1', '2.0.0']);
  await addSource('hidden', 'acme', {
    packages: [{ ecosystem: 'npm', name: 'hidden' }],
    url: 'https://github.com/acme/hidden',
  });
  await source('hidden', 'Hidden');
  await addVersions('hidden', ['1.0.0', '2.0.0']);
  await catalogue.refresh();
});
afterAll(() => registry.close());

const addVersions = async (source: string, versions: readonly string[]) => {
  for (const [index, version] of versions.entries()) {
    await registry.addRelease(`${source}${index}`, source, { title: version, version, publishedAt: day(index + 1) });
  }
};

const ask = (input: Partial<WhatsChangedInput>, admin = false) =>
  whatsChanged(deps, { package: 'demo', from: '0', to: '999', ecosystem: null, ...input }, { nowMs, admin });
const versionsIn = ({ entries }: Awaited<ReturnType<typeof ask>>) => entries.map(({ version }) => version);

describe('a range', () => {
  // The table of contract 9.3.
  it.each([
    ['1.0.0', '1.1.0', ['1.1.0-beta.1', '1.1.0']],
    ['1.0.0', '1.0.0', []],
    ['v1.1', '2.0.0', ['1.2.0', '2.0.0-rc.1', '2.0.0']],
    ['2.0.0', '1.0.0', []],
    ['0.9', '1.9.9', ['1.0.0', '1.1.0-beta.1', '1.1.0', '1.2.0']],
    ['1.2.0', '2.0.0-rc.1', ['2.0.0-rc.1']],
    ['1.1.0-beta.1', '1.1.0+7', ['1.1.0']],
    ['demo@1.2.0', 'demo@2.0.0', ['2.0.0-rc.1', '2.0.0']],
  ])('from %s to %s', async (from, to, versions) => {
    const answer = await ask({ from, to });
    expect(versionsIn(answer)).toEqual(versions);
    expect(answer).toMatchObject({ status: 'resolved', rangeBasis: 'version', count: versions.length, from, to });
  });

  it.each([
    ['abc', '2.0.0'],
    ['1.0.0', 'abc'],
    ['abc', 'abc'],
  ])('from %s to %s has no basis', async (from, to) => {
    expect(await ask({ from, to })).toMatchObject({
      status: 'resolved',
      rangeBasis: 'none',
      entries: [],
      breaking: 'unknown',
    });
  });

  it('shows of each release what was asked for, and nothing else', async () => {
    await registry.addSource('shown', 'acme');
    await registry.addRelease('shown', 'shown', {
      title: 'Second',
      content: 'Not shown.',
      version: 'v2.0',
      publishedAt: day(2),
      url: 'https://example.com/2',
      summary: 'In short',
      breaking: 'major',
      migrationNotes: 'Turn it off and on.',
      importance: 5,
    });
    await registry.catalogue.refresh();
    expect(await ask({ package: 'shown', from: '1', to: '2' })).toEqual({
      status: 'resolved',
      package: 'shown',
      from: '1',
      to: '2',
      ecosystem: null,
      source: { sourceId: sourceIdOf('shown'), sourceSlug: 'shown', orgSlug: 'acme' },
      count: 1,
      entries: [
        {
          id: releaseIdOf('shown'),
          version: 'v2.0',
          publishedAt: day(2),
          title: 'Second',
          summary: 'In short',
          breaking: 'major',
          migrationNotes: 'Turn it off and on.',
          importance: 5,
          prerelease: false,
          url: 'https://example.com/2',
          webUrl: `https://registry.example/release/${releaseIdOf('shown')}-second`,
        },
      ],
      truncated: false,
      breaking: 'major',
      rangeBasis: 'version',
      resolvedVia: 'slug',
    });
  });

  it('leaves out what is taken down, covers another, lies ahead or has no version', async () => {
    const { addSource, addRelease, record, catalogue } = registry;
    await addSource('partly', 'acme');
    await addVersions('partly', ['1.0', '1.1', '1.2']);
    await addRelease('ahead', 'partly', { version: '1.3', publishedAt: day(25) });
    await addRelease('undated', 'partly', { version: '1.4' });
    await addRelease('words', 'partly', { publishedAt: day(5) });
    await addRelease('june', 'partly', { version: 'June update', publishedAt: day(6) });
    await record(`release-${releaseIdOf('partly0')}`, [suppressed(sourceIdOf('partly'), day(1))]);
    await record(`release-${releaseIdOf('partly1')}`, [linked(sourceIdOf('partly'), day(2), releaseIdOf('partly2'))]);
    await catalogue.refresh();
    expect(versionsIn(await ask({ package: 'partly' }))).toEqual(['1.2', '1.4']);
  });

  it('is in the order of versions, then of dates, the undated first', async () => {
    const { addSource, addRelease, catalogue } = registry;
    await addSource('mixed', 'acme');
    await addRelease('m1', 'mixed', { version: '1.10', publishedAt: day(1) });
    await addRelease('m2', 'mixed', { version: '1.9', publishedAt: day(3) });
    await addRelease('m3', 'mixed', { version: 'v1.9.0', publishedAt: day(2) });
    await addRelease('m4', 'mixed', { version: '1.9+5' });
    await catalogue.refresh();
    const { entries } = await ask({ package: 'mixed' });
    expect(entries.map(({ title }) => title)).toEqual(['m4', 'm3', 'm2', 'm1']);
  });

  it('tells the strongest verdict', async () => {
    const { addSource, addRelease, catalogue } = registry;
    await addSource('verdicts', 'acme');
    const verdicts = ['none', 'unknown', 'none', 'minor', 'major', 'none'] as const;
    for (const [index, breaking] of verdicts.entries()) {
      await addRelease(`verdict${index}`, 'verdicts', { version: `${index}`, breaking });
    }
    await catalogue.refresh();
    const strongest = async (from: string, to: string) => (await ask({ package: 'verdicts', from, to })).breaking;
    expect(await strongest('4', '5')).toBe('none');
    expect(await strongest('0', '2')).toBe('unknown');
    expect(await strongest('0', '3')).toBe('minor');
    expect(await strongest('0', '5')).toBe('major');
    expect(await strongest('5', '5')).toBe('none');
  });
});

describe('a range by dates', () => {
  beforeAll(async () => {
    const { addSource, addRelease, catalogue } = registry;
    await addSource('monthly', 'acme');
    await addRelease('may', 'monthly', { version: 'May update', publishedAt: day(1) });
    await addRelease('between', 'monthly', { publishedAt: day(2) });
    await addRelease('one', 'monthly', { version: '1.0', publishedAt: day(3) });
    await addRelease('june', 'monthly', { version: 'June update', publishedAt: day(4), prerelease: true });
    await addRelease('july', 'monthly', { version: 'July update', publishedAt: day(5) });
    await addRelease('early', 'monthly', { version: 'August update', publishedAt: day(25) });
    await addRelease('never', 'monthly', { version: 'Some day' });
    await catalogue.refresh();
  });

  it.each([
    ['May update', 'June update', 'date', ['between', 'one', 'june']],
    ['May update', '1.0', 'date', ['between', 'one']],
    ['1.0', ' July update ', 'date', ['june', 'july']],
    ['July update', 'May update', 'date', []],
    ['May update', 'may update', 'none', []],
    ['May update', '1.0.0', 'none', []],
    ['May update', 'August update', 'none', []],
    ['May update', 'Some day', 'none', []],
    ['May update', 'nothing', 'none', []],
  ])('from %s to %s', async (from, to, rangeBasis, titles) => {
    const answer = await ask({ package: 'monthly', from, to });
    expect(answer.rangeBasis).toBe(rangeBasis);
    expect(answer.entries.map(({ title }) => title)).toEqual(titles);
  });
});

describe('several names in one source', () => {
  beforeAll(async () => {
    const { addSource, catalogue } = registry;
    await addSource('mono', 'acme', { packages: [{ ecosystem: 'npm', name: '@acme/a' }] });
    await addVersions('mono', ['@acme/a@1.0', '@acme/b@1.0', '@acme/a@1.1', '1.2', 'mono-1.3', '@acme/a@June']);
    await catalogue.refresh();
  });

  it('are told apart where one is that of the package', async () => {
    const ofA = await ask({ package: '@ACME/a', ecosystem: 'npm' });
    expect([ofA.resolvedVia, versionsIn(ofA)]).toEqual(['package', ['@acme/a@1.0', '@acme/a@1.1', '1.2']]);
    expect(versionsIn(await ask({ package: 'mono' }))).toEqual(['1.2', 'mono-1.3']);
    const byDate = await ask({ package: '@acme/a', ecosystem: 'npm', from: '@acme/a@1.0', to: '@acme/a@June' });
    expect(versionsIn(byDate)).toEqual(['@acme/a@1.1', '1.2', '@acme/a@June']);
  });

  it('are told apart in every spelling that a registry takes for the same', async () => {
    const { addSource, catalogue } = registry;
    await addSource('snakes', 'acme', { packages: [{ ecosystem: 'pypi', name: 'foo-bar' }] });
    await addVersions('snakes', ['foo-bar@1.0', 'other@1.0', 'Foo_Bar@1.1', 'foo.bar@1.2']);
    await catalogue.refresh();
    for (const spelled of ['foo-bar', 'Foo_Bar', 'FOO.bar', 'foo-_.bar']) {
      const answer = await ask({ package: spelled, ecosystem: 'pypi' });
      expect(versionsIn(answer), spelled).toEqual(['foo-bar@1.0', 'Foo_Bar@1.1', 'foo.bar@1.2']);
    }
  });

  it('are found by date, however many others lie between them', async () => {
    const { addSource, addRelease, catalogue } = registry;
    await addSource('crowd', 'acme', { packages: [{ ecosystem: 'npm', name: 'lonely' }] });
    const minute = (number: number) => new Date(Date.parse(day(1)) + number * 60_000).toISOString();
    const add = (title: string, version: string, at: number) =>
      addRelease(`crowd-${title}`, 'crowd', { title, version, publishedAt: minute(at) });
    await add('first', 'lonely@first', 0);
    const own = Array.from({ length: 40 }, (_, number) => `lonely@n${String(number)}`);
    for (const [number, version] of own.entries()) {
      await add(version, version, 1 + Math.floor(number / 3)); // some at the same moment
      await add(`c${number}`, `crowd@n${number}`, 1 + number);
    }
    await add('nameless', 'of nobody', 50);
    await add('last', 'lonely@last', 100);
    await catalogue.refresh();
    const range = { package: 'lonely', ecosystem: 'npm' as const, from: 'lonely@first', to: 'lonely@last' };
    const answer = await ask(range);
    expect(answer).toMatchObject({ rangeBasis: 'date', truncated: false });
    expect(versionsIn(answer).slice(-2)).toEqual(['of nobody', 'lonely@last']);
    expect(versionsIn(answer).toSorted()).toEqual([...own, 'of nobody', 'lonely@last'].toSorted());
    const dates = answer.entries.map(({ publishedAt }) => publishedAt);
    expect(dates).toEqual(dates.toSorted());
  });

  it('are all shown where none is', async () => {
    const answer = await ask({ package: sourceIdOf('mono') });
    expect(versionsIn(answer)).toEqual(['@acme/a@1.0', '@acme/b@1.0', '@acme/a@1.1', '1.2', 'mono-1.3']);
  });
});

describe('the budget', () => {
  const addMany = async (source: string, count: number, fields: (index: number) => object) => {
    await registry.addSource(source, 'acme');
    const releases = Array.from({ length: count }, (_, index) => index);
    for (const index of releases) {
      await registry.addRelease(`${source}n${index}`, source, { version: `1.${index}`, ...fields(index) });
    }
    await registry.catalogue.refresh();
  };

  it('has room for 312 entries, and drops the oldest', async () => {
    await addMany('many', 313, () => ({ title: 'x' }));
    const all = await ask({ package: 'many', from: '1.0', to: '2' });
    expect(all).toMatchObject({ count: 312, truncated: false });
    expect(all).not.toHaveProperty('truncatedAtTokens');
    const cut = await ask({ package: 'many' });
    expect(cut).toMatchObject({ count: 312, truncated: true, truncatedAtTokens: 20_000 });
    expect([cut.entries[0]?.version, cut.entries.at(-1)?.version]).toEqual(['1.1', '1.312']);
  });

  it('counts titles, summaries and notes', async () => {
    const texts = { title: 'a'.repeat(400), summary: 'b'.repeat(600), migrationNotes: 'c'.repeat(19_000) };
    await addMany('long', 6, (index) => ({ ...texts, ...(index === 0 && { migrationNotes: 'c'.repeat(19_001) }) }));
    // Each is 5,000 tokens: four fit exactly.
    expect(versionsIn(await ask({ package: 'long', from: '1.1', to: '1.5' }))).toHaveLength(4);
    expect(await ask({ package: 'long', from: '0', to: '1.3' })).toMatchObject({ count: 3, truncated: true });
    expect(await ask({ package: 'long', from: '1.0', to: '1.5' })).toMatchObject({ count: 4, truncated: true });
  });
});

describe('a package', () => {
  it.each([
    [{ package: sourceIdOf('demo') }, 'id'],
    [{ package: '@Acme/Demo', ecosystem: 'npm' as const }, 'package'],
    [{ package: 'Acme_.Demo', ecosystem: 'pypi' as const }, 'package'],
    [{ package: 'demo' }, 'slug'],
    [{ package: 'demo', ecosystem: 'npm' as const }, 'slug'],
    [{ package: 'demo', ecosystem: 'github' as const }, 'slug'],
    [{ package: 'aCME/dEMO', ecosystem: 'github' as const }, 'coordinate'],
    [{ package: 'github:acme/demo', ecosystem: 'github' as const }, 'coordinate'],
  ])('is found: %j by %s', async (input, resolvedVia) => {
    const answer = await ask(input);
    expect(answer).toMatchObject({ status: 'resolved', resolvedVia, source: { sourceSlug: 'demo' }, count: 6 });
  });

  it.each([
    [{ package: 'nothing' }, 'untracked'],
    [{ package: 'Demo' }, 'untracked'],
    [{ package: '@acme/demo' }, 'untracked'],
    [{ package: '@acme/demo', ecosystem: 'pypi' as const }, 'untracked'],
    [{ package: 'acme/demo' }, 'ecosystem_required'],
    [{ package: 'acme/demo', ecosystem: 'npm' as const }, 'ecosystem_required'],
    [{ package: 'acme/nothing', ecosystem: 'github' as const }, 'untracked'],
    [{ package: 'hidden' }, 'untracked'],
    [{ package: 'hidden', ecosystem: 'npm' as const }, 'untracked'],
    [{ package: 'acme/hidden', ecosystem: 'github' as const }, 'untracked'],
    [{ package: sourceIdOf('hidden') }, 'untracked'],
    [{ package: sourceIdOf('nobody') }, 'untracked'],
  ])('is unknown: %j, %s', async (input, reason) => {
    expect(await ask(input)).toEqual({
      status: 'unknown',
      from: '0',
      to: '999',
      ecosystem: null,
      ...input,
      source: null,
      count: 0,
      entries: [],
      truncated: false,
      breaking: 'unknown',
      rangeBasis: 'none',
      resolvedVia: null,
      reason,
    });
  });

  it('that is hidden is shown to an admin who names its id', async () => {
    expect(await ask({ package: sourceIdOf('hidden') }, true)).toMatchObject({ resolvedVia: 'id', count: 2 });
    expect(await ask({ package: 'hidden' }, true)).toMatchObject({ status: 'unknown' });
  });

  it('whose slug is shared is refused', async () => {
    const { addOrg, addSource, catalogue } = registry;
    await addOrg('zeta');
    await addSource('twin1', 'acme', { slug: 'twin' });
    await addSource('twin2', 'zeta', { slug: 'twin' });
    await catalogue.refresh();
    await expect(ask({ package: 'twin' })).rejects.toMatchObject({ code: 'ambiguous_slug' });
  });
});
