import { describe, expect, it } from 'vitest';
import {
  deriveRelease,
  type ExplicitValues,
  type GivenRelease,
  normalizeVersion,
} from '../../../../src/domain/release/derived/classify.ts';

const body = 'Some text that is long enough.';

const derive = (given: Partial<GivenRelease>, explicit?: ExplicitValues) =>
  deriveRelease({ title: 'Title', content: body, version: null, publishedAt: null, ...given }, explicit);

describe('version', () => {
  it.each([
    ['unknown', null],
    ['n/a', null],
    ['none', null],
    ['latest', null],
    [' Latest ', null],
    ['N/A', null],
    ['', null],
    ['  ', null],
    [null, null],
    [' v1.2 ', 'v1.2'],
    ['latest-1', 'latest-1'],
    ['unknown 2', 'unknown 2'],
  ])('%j becomes %j', (version, expected) => {
    expect(normalizeVersion(version)).toBe(expected);
  });
});

describe('publishedAt', () => {
  it.each([
    ['2026-03-01', '2026-03-01'],
    ['Release 2026/03/01', '2026-03-01'],
    ['Release of 2026-03-01: more', '2026-03-01'],
    ['2026-03-01T10:00:00Z', '2026-03-01'],
    ['March 1, 2026', '2026-03-01'],
    ['MARCH 01 2026', '2026-03-01'],
    ['1 March 2026', '2026-03-01'],
    ['Mar 1st, 2026', '2026-03-01'],
    ['Mar. 2nd, 2026', '2026-03-02'],
    ['3rd of March 2026', '2026-03-03'],
    ['What is new (Sept 30, 2025)', '2025-09-30'],
    ['Update 15 Feb, 2024', '2024-02-15'],
    ['March 2026 update, published March 5, 2026', '2026-03-05'],
    ['March 2026 update', '2026-03-01'],
    ['March, 2026', '2026-03-01'],
    ['dec 1999', '1999-12-01'],
    ['v2.1 March 2026', '2026-03-01'],
    ['February 29, 2024', '2024-02-29'],
  ])('%s is dated %s', (title, day) => {
    expect(derive({ title }).publishedAt).toBe(`${day}T00:00:00.000Z`);
  });

  it.each(
    'January February March April May June July August September October November December'
      .split(' ')
      .map((name, index) => [name, index] as const),
  )('knows %s, long and short', (name, index) => {
    const day = new Date(Date.UTC(2026, index, 7)).toISOString();
    expect(derive({ title: `${name} 7, 2026` }).publishedAt).toBe(day);
    expect(derive({ title: `7 ${name.slice(0, 3)} 2026` }).publishedAt).toBe(day);
    expect(derive({ title: `News of ${name} 2026` }).publishedAt).toBe(day.replace('-07T', '-01T'));
  });

  it.each([
    'Title',
    'March update',
    '2026',
    'February 30, 2026',
    '2026-02-30',
    '2026-13-01',
    'Version 12026-03-01',
    'Marching 2026',
    'March 20261',
    'March 5000 users',
    '03/01/2026',
  ])('%s is undated', (title) => {
    expect(derive({ title }).publishedAt).toBeNull();
  });

  it('is the given one when there is one', () => {
    const publishedAt = '2026-01-02T03:04:05.678Z';
    expect(derive({ title: 'March 1, 2026', publishedAt }).publishedAt).toBe(publishedAt);
  });
});

describe('type', () => {
  it.each([
    ['March 2026 update', null, 'rollup'],
    ['Week 12', null, 'rollup'],
    ['This week in Demo', null, 'rollup'],
    ['Weekly notes', null, 'rollup'],
    ['Changelog', null, 'rollup'],
    ['The CHANGELOG of Demo', null, 'rollup'],
    ['Week of March 2, 2026', null, 'rollup'],
    ['March 2026 update', 'latest', 'rollup'],
    ['March 2026 update', '1.2.0', 'feature'],
    ['Changelog', '2026.3', 'feature'],
    ['Week 12', 'June update', 'feature'],
    ['March update', null, 'feature'],
    ['March 1, 2026', null, 'feature'],
    ['1 March 2026', null, 'feature'],
    ['Weekend mode', null, 'feature'],
    ['Dark mode', null, 'feature'],
  ])('%s with version %j is a %s', (title, version, type) => {
    expect(derive({ title, version }).type).toBe(type);
  });
});

describe('prerelease', () => {
  it.each([
    ['1.0.0-rc.1', true],
    ['2.0.0b3', true],
    ['1.0.0', false],
    ['1.0.0-hotfix.1', false],
    ['nightly', false],
    [null, false],
  ])('version %j: %j', (version, prerelease) => {
    expect(derive({ version }).prerelease).toBe(prerelease);
  });

  it('is the explicit one when there is one', () => {
    expect(derive({ version: '1.0.0-rc.1' }, { prerelease: false }).prerelease).toBe(false);
    expect(derive({ version: '1.0.0' }, { prerelease: true }).prerelease).toBe(true);
    expect(derive({ version: '1.0.0-rc.1' }, { prerelease: undefined }).prerelease).toBe(true);
  });
});

describe('breaking', () => {
  it.each([
    ['## Breaking changes\n- a', null, 'major'],
    ['⚠ BREAKING CHANGES\n---\n- a', '1.0.1', 'major'],
    ['- **Breaking:** a', null, 'major'],
    ['- Breaking: a', null, 'major'],
    ['- [breaking] a', null, 'major'],
    ['## Removed\n- a\n## Breaking\n- b', null, 'major'],
    ['- Deprecated: x\n- BREAKING CHANGE: y', null, 'major'],
    ['### Removed\n- a', '1.2.3', 'minor'],
    ['### Deprecations\n- a', null, 'minor'],
    ['- **Deprecated** a', null, 'minor'],
    ['- removed: a', null, 'minor'],
    [body, '1.2.3', 'none'],
    [body, '1.2.3.4', 'none'],
    [body, '1.2.3-rc.1', 'unknown'],
    [body, '1.2.3-hotfix.1', 'unknown'],
    [body, '1.2.0', 'unknown'],
    [body, '2.0.0', 'unknown'],
    [body, null, 'unknown'],
    [body, 'June update', 'unknown'],
    ['', '1.2.3', 'none'],
    ['This is breaking news.', '1.2.0', 'unknown'],
    ['- fixes a breaking test', '1.2.3', 'none'],
    ['- it was removed', '1.2.0', 'unknown'],
    ['```\n## Breaking\n```\ntext', '1.2.0', 'unknown'],
  ])('%j with version %j is %s', (content, version, breaking) => {
    expect(derive({ content, version }).breaking).toBe(breaking);
  });

  it('is the explicit one when there is one', () => {
    expect(derive({ content: '## Breaking', version: '1.0.0' }, { breaking: 'none' }).breaking).toBe('none');
    expect(derive({ version: '1.2.3' }, { breaking: 'unknown' }).breaking).toBe('unknown');
    expect(derive({ version: '1.2.3' }, { prerelease: true }).breaking).toBe('unknown');
  });
});

describe('migrationNotes', () => {
  it.each([
    ['## Migration guide\nDo this.\n\n- and that\n\n## Next\nx', 'Do this.\n\n- and that'],
    ['## Upgrading\nDo this.', 'Do this.'],
    ['## How to migrate\nA\n### Step\nB\n# Next\nC', 'A\n### Step\nB'],
    ['Migrate\n---\nA\n\nNext\n===\nB', 'A'],
    ['## Breaking\nA\n## Upgrade\nB', 'B'],
    ['## Breaking changes\nA\n## Other\nB', 'A'],
    ['## Upgrade\n## Breaking\nA', 'A'],
    ['## Migration\nA\n## Migration again\nB', 'A'],
    ['## Migration\n```\n## no heading\n```\n## Next', '```\n## no heading\n```'],
    ['## Migration\n\n  \n## Next\nx', null],
    ['- **Breaking:** migrate now', null],
    [body, null],
    ['', null],
  ])('%j has %j', (content, notes) => {
    expect(derive({ content }).migrationNotes).toBe(notes);
  });

  it('has at most 4,000 characters', () => {
    expect(derive({ content: `## Upgrade\n${'x'.repeat(4000)}` }).migrationNotes).toBe('x'.repeat(4000));
    expect(derive({ content: `## Upgrade\n${'x'.repeat(5000)}` }).migrationNotes).toBe('x'.repeat(4000));
    expect(derive({ content: `## Upgrade\n${'x'.repeat(3999)}😀` }).migrationNotes).toBe('x'.repeat(3999));
  });
});

describe('importance', () => {
  const breaking = '## Breaking changes\nSomething is gone.';

  it.each([
    [null, body, null],
    ['June update', breaking, null],
    ['latest', body, null],
    ['2.0.0-rc.1', breaking, 1],
    ['2.0.0-hotfix.1', body, 1],
    ['2.0.0', '', 1],
    ['2.0.0', 'x'.repeat(14), 1],
    ['2.0.0', 'x'.repeat(15), 4],
    ['2.0.0', breaking, 5],
    ['v2', breaking, 5],
    ['2.0.0', body, 4],
    ['2.0.0', '## Removed\nsomething', 4],
    ['2.1.0', body, 3],
    ['2.1', breaking, 3],
    ['2.1.1', breaking, 3],
    ['2.0.1', breaking, 3],
    ['2.1.1', body, 2],
    ['2.0.0.1', body, 2],
    ['999999999999999999999.0.0', body, 4],
  ])('version %j with content %j is %j', (version, content, importance) => {
    expect(derive({ version, content }).importance).toBe(importance);
  });

  it('goes by the explicit values', () => {
    expect(derive({ version: '2.0.0' }, { breaking: 'major' }).importance).toBe(5);
    expect(derive({ version: '2.0.0', content: breaking }, { breaking: 'none' }).importance).toBe(4);
    expect(derive({ version: '2.0.0' }, { prerelease: true }).importance).toBe(1);
    expect(derive({ version: '2.0.0-rc.1' }, { prerelease: false }).importance).toBe(4);
  });
});

describe('composition', () => {
  it.each([
    ['## Fixes\n- a\n- b', { bugs: 2, features: 0, enhancements: 0 }],
    ['## Bugs\n- a', { bugs: 1, features: 0, enhancements: 0 }],
    ['## Features\n- a', { bugs: 0, features: 1, enhancements: 0 }],
    ['## Added\n- a', { bugs: 0, features: 1, enhancements: 0 }],
    ["## What's new\n- a", { bugs: 0, features: 1, enhancements: 0 }],
    ['## Improvements\n- a', { bugs: 0, features: 0, enhancements: 1 }],
    ['## Changed\n- a', { bugs: 0, features: 0, enhancements: 1 }],
    ['## ENHANCED\n- a', { bugs: 0, features: 0, enhancements: 1 }],
    ['## Performance\n- a', { bugs: 0, features: 0, enhancements: 1 }],
    ['## Added\n- a\n- b\n## Fixed\n1. c\n## Docs\n- d\n## Changed\n* e', { bugs: 1, features: 2, enhancements: 1 }],
    ['## Fixed\n### API\n- a\n### New\n- b\n### UI\n- c', { bugs: 2, features: 1, enhancements: 0 }],
    ['## Fixed\n- a\n# Docs\n- b', { bugs: 1, features: 0, enhancements: 0 }],
    ['## Fixed\n### Removed\n- a', { bugs: 1, features: 0, enhancements: 0 }],
    ['- a\n\n## Fixed\n\ntext', null],
    ['## Docs\n- a', null],
    ['## Fixed\n```\n- a\n```', null],
    ['', null],
  ])('%j is %j', (content, composition) => {
    expect(derive({ content }).composition).toEqual(composition);
  });
});

describe('summary, contentChars, contentHash', () => {
  it('has the first 150 characters of the plain text', () => {
    expect(derive({ content: '# Hi\n\n**All** is [well](x).' }).summary).toBe('Hi All is well.');
    expect(derive({ content: 'x'.repeat(150) }).summary).toBe('x'.repeat(150));
    expect(derive({ content: 'x'.repeat(151) }).summary).toBe(`${'x'.repeat(150)}…`);
    expect(derive({ content: `${'x'.repeat(150)} \n\n` }).summary).toBe('x'.repeat(150));
    expect(derive({ content: `${'x'.repeat(149)}😀` }).summary).toBe(`${'x'.repeat(149)}😀`);
    expect(derive({ content: `${'x'.repeat(149)}😀x` }).summary).toBe(`${'x'.repeat(149)}😀…`);
    expect(derive({ content: '😀'.repeat(150) }).summary).toBe('😀'.repeat(150));
    expect(derive({ content: '😀'.repeat(151) }).summary).toBe(`${'😀'.repeat(150)}…`);
    expect(derive({ content: '😀'.repeat(400) }).summary).toBe(`${'😀'.repeat(150)}…`);
    expect(derive({ content: `${'x'.repeat(150)}😀` }).summary).toBe(`${'x'.repeat(150)}…`);
    expect(derive({ content: '' }).summary).toBe('');
    expect(derive({ content: '```\ncode\n```' }).summary).toBe('');
  });

  it('counts UTF-16 units and hashes the bytes, null without content', () => {
    expect(derive({ content: 'abc' })).toMatchObject({
      contentChars: 3,
      contentHash: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    });
    expect(derive({ content: '😀' }).contentChars).toBe(2);
    expect(derive({ content: ' ' }).contentChars).toBe(1);
    expect(derive({ content: '' })).toMatchObject({ contentChars: null, contentHash: null });
  });
});

// What is not linear would not end within the time that any test has.
describe('hostile text', () => {
  it.each(['# breaking a\n', '- x breaking\n', '- removed: a\n', '# migrate\n', '## new\n- a\n'])(
    'a million characters of %j are classified',
    (unit) => {
      const content = unit.repeat(1_000_000 / unit.length);
      expect(derive({ content, version: '1.0.0' }).contentChars).toBe(content.length);
    },
  );

  it.each(['march ', '1 ', '2026 ', '1 march ', 'march 1 ', '2026-', 'march 1, '])(
    'a title of %j is classified',
    (unit) => {
      expect(derive({ title: unit.repeat(100) }).type).toMatch(/feature|rollup/);
    },
  );
});
