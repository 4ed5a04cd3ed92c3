import { describe, expect, it } from 'vitest';
import { changelogEntries } from '../../../src/ingest/changelog/changelog-entries.ts';

const oneOf = (markdown: string) => {
  const entries = changelogEntries(markdown);
  expect(entries).toHaveLength(1);
  return entries[0]!;
};

const versionsOf = (markdown: string) => changelogEntries(markdown).map(({ version }) => version);

describe('a heading with a version and a date', () => {
  const dated = '2024-01-02T00:00:00.000Z';

  it.each([
    ['## [1.2.3] - 2024-01-02', '1.2.3', '1.2.3', dated],
    ['## [v1.2.3](https://example.com/compare/v1.2.2...v1.2.3) - 2024-01-02', 'v1.2.3', '1.2.3', dated],
    ['## [1.2.3](https://example.com/compare/a_(b)...c) (2024-01-02)', '1.2.3', '1.2.3', dated],
    ['## 1.2.3 (2024-01-02)', '1.2.3', '1.2.3', dated],
    ['# v1.2.3', 'v1.2.3', '1.2.3', null],
    ['## 1.2.3 / 2024-01-02', '1.2.3', '1.2.3', dated],
    ['1.2.3 / 2024-01-02\n==================', '1.2.3', '1.2.3', dated],
    ['2024-01-02 / 1.2.3\n==================', '1.2.3', '1.2.3', dated],
    ['v1.2.3\n------', 'v1.2.3', '1.2.3', null],
    ['### 1.2.3', '1.2.3', '1.2.3', null],
    ['## 1.2.3 ##', '1.2.3', '1.2.3', null],
    ['## **1.2.3** _(2024/01/02)_', '1.2.3', '1.2.3', dated],
    ['## Version 1.2.3 released on January 2, 2024', 'Version 1.2.3', '1.2.3', dated],
    ['## 1.2.3: Codename – 2nd January 2024', '1.2.3: Codename', '1.2.3', dated],
    ['## @acme/kit@1.2.3-rc.1', '@acme/kit@1.2.3-rc.1', '1.2.3-rc.1', null],
    ['## kit-1.2.3+build.5', 'kit-1.2.3+build.5', '1.2.3+build.5', null],
    ['## v2', 'v2', '2', null],
    ['## 1.2', '1.2', '1.2', null],
    ['## 2024.1.2', '2024.1.2', '2024.1.2', null],
  ])('%j', (heading, title, version, publishedAt) => {
    expect(oneOf(`${heading}\n\n- a change\n`)).toEqual({ title, version, publishedAt, content: '- a change' });
  });

  it.each([
    '*2024-01-02*',
    '_January 2, 2024_',
    'Released on 2024-01-02',
    '> 2024-01-02',
    '**Release date:** 2 Jan 2024',
  ])('has the date on the line below: %j', (line) => {
    const { publishedAt, content } = oneOf(`## 1.2.3\n\n${line}\n\n- a change`);
    expect({ publishedAt, content }).toEqual({ publishedAt: dated, content: '- a change' });
  });

  it('leaves a line that says more in the text', () => {
    expect(oneOf('## 1.2.3\nSince 2024-01-02 we do it better.')).toMatchObject({
      publishedAt: null,
      content: 'Since 2024-01-02 we do it better.',
    });
  });

  it('has no date that does not exist', () => {
    expect(oneOf('## 1.2.3 - 2024-02-31\nText').publishedAt).toBeNull();
  });
});

describe('which headings begin an entry', () => {
  it('takes the level that holds versions and leaves the others in the text', () => {
    const markdown =
      '# Changelog\nAll of it.\n\n## 2.0.0\n### Fixed\n- a\n### Moved from 1.9.9 on\n- b\n## 1.0.0\nFirst.\n';
    expect(changelogEntries(markdown)).toEqual([
      { title: '2.0.0', version: '2.0.0', publishedAt: null, content: '### Fixed\n- a\n### Moved from 1.9.9 on\n- b' },
      { title: '1.0.0', version: '1.0.0', publishedAt: null, content: 'First.' },
    ]);
  });

  it('knows tools that put patches one level deeper', () => {
    const markdown =
      '## 1.1.0 (2024-02-01)\n### Features\n- a\n### 1.0.1 (2024-01-02)\n### Bug Fixes\n- b\n## 1.0.0 (2024-01-01)\nc\n## 0.9.0\nd';
    expect(changelogEntries(markdown).map(({ version, content }) => [version, content])).toEqual([
      ['1.1.0', '### Features\n- a'],
      ['1.0.1', '### Bug Fixes\n- b'],
      ['1.0.0', 'c'],
      ['0.9.0', 'd'],
    ]);
  });

  it('skips what is not out yet', () => {
    for (const heading of [
      '## [Unreleased]',
      '## Unreleased (2.0.0)',
      '## 2.0.0 - Unreleased',
      '## Next',
      '## 2.0 (TBD)',
    ]) {
      expect(changelogEntries(`${heading}\n- soon\n## 1.0.0\n- now`), heading).toEqual([
        { title: '1.0.0', version: '1.0.0', publishedAt: null, content: '- now' },
      ]);
    }
    expect(changelogEntries('## 1.0.0\n- now\n## Unreleased\n- soon')).toHaveLength(1);
  });

  it('skips a version that only groups others', () => {
    expect(versionsOf('# v2\n## v2.1.0\n- a\n## v2.0.0\n- b')).toEqual(['2.1.0', '2.0.0']);
  });

  it('keeps an entry that says nothing', () => {
    expect(changelogEntries('## 1.1.0\n## 1.0.0\n- a').map(({ content }) => content)).toEqual(['', '- a']);
  });

  it('leaves a heading in the text that names its own version again', () => {
    const { version, content } = oneOf('## 1.0.0\n- a\n### 1.0.0\n- b');
    expect({ version, content }).toEqual({ version: '1.0.0', content: '- a\n### 1.0.0\n- b' });
  });

  it('takes a line for an entry only where its version lies between the others', () => {
    expect(versionsOf('## 3.0.0\na\n\n2.0.0\n\nb\n## 1.0.0\nc')).toEqual(['3.0.0', '2.0.0', '1.0.0']);
    expect(versionsOf('## 3.0.0\na\n\n4.0.0\n\nb\n## 1.0.0\nc')).toEqual(['3.0.0', '1.0.0']);
    expect(versionsOf('## 3.0.0\na\n\n0.5.0\n\nb\n## 1.0.0\nc')).toEqual(['3.0.0', '1.0.0']);
  });

  it('takes a heading apart that announces at most four versions', () => {
    expect(versionsOf('## 1.0.5, 1.0.4, 1.0.3, 1.0.2, 1.0.1\na\n## 1.0.0\nb')).toEqual([
      '1.0.5',
      '1.0.4',
      '1.0.3',
      '1.0.2',
      '1.0.0',
    ]);
  });

  it('ignores headings inside fenced code', () => {
    const { content } = oneOf('## 1.0.0\n```md\n## 0.9.0\n```\n- a');
    expect(content).toBe('```md\n## 0.9.0\n```\n- a');
  });

  it('does not take mentions, wildcards and single numbers for versions', () => {
    expect(versionsOf('## 1.0.0\na\n## How to get from here to 2.0.0\nb\n## 1.x\nc\n## 2023\nd')).toEqual(['1.0.0']);
  });

  it('takes dates where there are no versions', () => {
    expect(changelogEntries('# News\n## 2024-01-02\n- b\n## January 1, 2024\n- a')).toEqual([
      { title: '2024-01-02', version: null, publishedAt: '2024-01-02T00:00:00.000Z', content: '- b' },
      { title: '2024-01-01', version: null, publishedAt: '2024-01-01T00:00:00.000Z', content: '- a' },
    ]);
  });

  it('takes a version among many dates for one of them', () => {
    const days = ['## 2024-01-05', '## 2024-01-04', '## 1.0.0', '## 2024-01-02', '## 2024-01-01'];
    expect(changelogEntries(days.map((day) => `${day}\n- a\n`).join('')).map(({ title }) => title)).toEqual(
      days.map((day) => day.slice(3)),
    );
  });

  it('finds nothing where there is nothing', () => {
    for (const markdown of ['', 'Just text 1.2.3', '# Changelog\n- 1.2.3', '# Contributing']) {
      expect(changelogEntries(markdown)).toEqual([]);
    }
  });
});

describe('the text of an entry', () => {
  it('ends before the addresses of headings, anchors and rules', () => {
    const markdown =
      '## [1.1.0]\n- a [#1]\n\n[#1]: https://example.com/1\n\n---\n<a name="1.0.0"></a>\n## [1.0.0]\n- b\n\n[unreleased]: https://example.com/x\n[1.1.0]: https://example.com/y\n';
    expect(changelogEntries(markdown).map(({ content }) => content)).toEqual([
      '- a [#1]\n\n[#1]: https://example.com/1',
      '- b',
    ]);
  });

  it('keeps its indentation, with plain line ends and without U+0000', () => {
    expect(oneOf('\ufeff## 1.0.0\r\n\r\n  * a\r\n    b\0\r\n').content).toBe('  * a\n    b\ufffd');
  });

  it('of two headings with one version is that of both', () => {
    expect(changelogEntries('## v1.0.0\nfirst\n## 1.0.0\nsecond').map(({ content }) => content)).toEqual([
      'first\n\nsecond',
    ]);
  });

  it('is cut at a million characters', () => {
    expect(oneOf(`## 1.0.0\n${'a'.repeat(1_000_001)}`).content).toHaveLength(1_000_000);
  });
});

/** Not a measurement: a quadratic scan of such a text would run into the test's time-out. */
it.each([
  ['headings', '## 1.0.0-'],
  ['long headings', `## ${'1.'.repeat(240)}\n`],
  ['brackets', '## [[[[[[[[\n'],
  ['link definitions', '## 1.0.0\n[1.0.0]: https://example.com\n'],
  ['rules', '## 1.0.0\n---\n\n'],
  ['blank lines', '## 1.0.0\n \n \n'],
  ['dates', '## 2024-01-02 2024-01-02\n*2024-01-02*\n'],
  ['one endless heading', '# a-'],
  ['one character', '1'],
  ['hashes', '#'],
  ['brackets of one line', '## 1.0.0 [[[(((<<<'],
  ['fences that nobody closes', '```a\n~~~~ b\n'],
  ['comments that nobody closes', '<!--\n'],
  ['underlined versions', '1.2.3\n===\n'],
  ['bold versions', '**1.2.3**\n'],
  ['lists of versions', '* 1.2.3 / 2012-01-01\n'],
  ['cells of a table', '<td>1.1.1</td>\n'],
])('takes a long text of %s', (_, part) => {
  const text = part.repeat(Math.ceil(300_000 / part.length));
  expect(changelogEntries(text).length).toBeGreaterThanOrEqual(0);
});
