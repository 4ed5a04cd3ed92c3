import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { overviewFields } from '../../../src/domain/overview/fields.ts';
import { summaryFields } from '../../../src/domain/summary/fields.ts';
import type { OverviewDraft } from '../../../src/generation/content-provider.ts';
import { extractOverview, extractSummary } from '../../../src/generation/extractive/extractive-provider.ts';
import { cutText } from '../../../src/kernel/text-rules.ts';
import { contributingRelease as release } from '../../spec/generation/contributing-release.ts';
import { createSeeded, type Seeded } from '../../spec/seeded.ts';
import { seedsToRun } from '../../spec/seeds.ts';

const pieces = [
  ...[
    'Added ',
    'a *new* ',
    '**bold',
    '**',
    '__',
    '~~gone~~ ',
    '~~~',
    '`code`',
    '``',
    '`',
    '```',
    '```js',
    '\n',
    '\n\n',
    '  ',
  ],
  ...[
    '[docs](https://example.com/a_(b))',
    '[rel](./x.md)',
    '[x](javascript:alert(1))',
    '![i](https://e.com/i.png)',
    '](',
    '[',
  ],
  ...[
    ']',
    '[ref][1]',
    '[1]: https://example.com',
    '<b>',
    '</b>',
    '<script>alert(1)</script>',
    '<!--',
    '-->',
    '<https://e.com>',
    '<',
  ],
  ...[
    '# Heading\n',
    '## Breaking\n',
    '- ',
    '* item ',
    '1. ',
    '> ',
    '| a | b |',
    '---',
    '===',
    '\\',
    '\\[',
    '&lt;',
    '&#60;',
  ],
  ...[
    '👩‍👩‍👧‍👦',
    '🎉',
    'e\u0301',
    '\u0301',
    '\u202e',
    '\u2066',
    '\u2069',
    '\u200f',
    'مرحبا ',
    '修复了。',
    'e.g. ',
    '1.2.3 ',
    '. ',
    '! ',
    '? ',
  ],
  ...['The cache is faster now. ', 'We removed the old flag! ', 'word '.repeat(100), '\t', '\r\n', '\u0007', '\u00a0'],
];

const randomText = (random: Seeded): string =>
  Array.from({ length: random.int(0, 60) }, () => random.pick(pieces)).join('');

const parser = new MarkdownIt({ html: true });

/** Sees a lead, and below each name of a release a list; in it nothing but one line each, with whole links to the web. */
function expectHarmless({ content, citations }: OverviewDraft): void {
  const tokens = parser.parse(content, {});
  const types = new Set(tokens.map(({ type }) => type.replace(/_(open|close)$/, '')));
  expect([...types].filter((type) => !['paragraph', 'inline', 'bullet_list', 'list_item'].includes(type))).toEqual([]);
  expect(tokens.filter(({ type }) => type === 'list_item_open')).toHaveLength(citations.length);
  for (const { children } of tokens) {
    for (const child of children ?? []) {
      expect(child.type === 'html_inline' || child.type === 'image' ? content : '').toBe('');
      if (child.type === 'link_open') expect(child.attrGet('href')).toMatch(/^https?:\/\//);
    }
  }
  expect(content + citations.map(({ title }) => title).join()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
}

const expectExact = ({ content, citations }: OverviewDraft): void => {
  for (const { startIndex, endIndex, citedText } of citations) {
    expect(content.slice(startIndex, endIndex)).toBe(citedText);
  }
};

describe('an overview made of the releases themselves', () => {
  it.each(seedsToRun(15))('cites exactly what stands in it, and harms nothing (seed %i)', (seed) => {
    const random = createSeeded(seed);
    for (let round = 0; round < 12; round += 1) {
      const releases = Array.from({ length: random.int(1, 6) }, (_, nth) => {
        const title =
          cutText(
            randomText(random)
              .replace(/[\s\p{Cc}]+/gu, ' ')
              .trim(),
            200,
          ) || 'Title';
        return release(randomText(random), { title, headline: title }, nth);
      });
      const overview = extractOverview(releases);
      if (overview === null) continue;
      expectExact(overview);
      expectHarmless(overview);
      const fields = { ...overview, releaseCount: releases.length };
      expect(overviewFields.safeParse(fields).error?.issues ?? []).toEqual([]);
      const summary = extractSummary({ type: 'rolling', windowDays: 30 }, { releases, count: releases.length });
      const written = { type: 'rolling', windowDays: 30, summary, releaseCount: releases.length };
      expect(summaryFields.safeParse(written).error?.issues ?? []).toEqual([]);
      expect(extractOverview(releases)).toEqual(overview);
    }
  });

  it('says nothing in words of its own but how many releases there are, and of when', () => {
    const overview = extractOverview([
      release('The launch pad can be heated now. It was cold.', {}, 0),
      release('## Fixed\n- The countdown no longer stops at `3`.', {}, 1),
    ]);
    expect(overview?.content).toBe(
      [
        'The latest 2 releases, 2030-01-19 to 2030-01-20.',
        '',
        '**[Rocket 1.0.1](https://registry.example/release/rel_000000000000000000000)**, 2030-01-20',
        '',
        '- The launch pad can be heated now.',
        '- It was cold.',
        '',
        '**[Rocket 1.1.1](https://registry.example/release/rel_000000000000000000001)**, 2030-01-19',
        '',
        '- The countdown no longer stops at `3`.',
        '',
      ].join('\n'),
    );
    expect(overview?.citations[2]).toEqual({
      sourceUrl: 'https://example.com/rocket/1',
      title: 'Rocket 1.1.1',
      releaseId: 'rel_000000000000000000001',
      releaseWebUrl: 'https://registry.example/release/rel_000000000000000000001',
      startIndex: 288,
      endIndex: 325,
      citedText: 'The countdown no longer stops at `3`.',
    });
  });

  it('prefers what breaks and what is new to fixes and chores, and says nothing twice', () => {
    const chores = Array.from({ length: 20 }, (_, n) => `- Updated the internal helper number ${n} once more`).join(
      '\n',
    );
    const text = [
      `## Chores\n${chores}`,
      '## Fixes\n- The gauge shows the pressure again.',
      '## Features\n- Rockets can land on water.',
      '## Breaking changes\n- The `fuel` option is gone.',
    ].join('\n\n');
    const twice = release('## Features\n* rockets can land on **water**', {}, 1);
    const { citations } = extractOverview([release(text), twice])!;
    expect(citations.map(({ citedText }) => citedText)).toEqual([
      'The gauge shows the pressure again.',
      'Rockets can land on water.',
      'The `fuel` option is gone.',
    ]);
  });

  it('leaves out the thanks, the checksums and what a machine has written', () => {
    const text = [
      '## What is new\n- A window was added to the capsule.',
      '## Contributors\n- Thanks to everybody who has helped us so much',
      '**Full Changelog**: https://example.com/compare/v1...v2',
      '- Bump left-pad from 1.0.0 to 1.0.1 in the folder of examples',
    ].join('\n\n');
    const { citations } = extractOverview([release(text)])!;
    expect(citations.map(({ citedText }) => citedText)).toEqual(['A window was added to the capsule.']);
  });

  it('takes the title of a release that has no text, and is none where nothing can be read', () => {
    const { citations } = extractOverview([release('', { title: 'Spring update of the rocket' })])!;
    expect(citations.map(({ citedText }) => citedText)).toEqual(['Spring update of the rocket']);
    expect(extractOverview([release('```\ncode\n```', { title: '1.0' })])).toBeNull();
    expect(extractOverview([])).toBeNull();
  });

  it('keeps whole links to the web, and of others their text', () => {
    const text =
      'See [the guide](https://example.com/guide) or [the file](./file.md) before you start ![x](https://e.com/x.png).';
    const [citation] = extractOverview([release(text)])!.citations;
    expect(citation?.citedText).toBe('See [the guide](https://example.com/guide) or the file before you start .');
  });

  it('does not let two pieces of code grow together, nor a mark and a link', () => {
    const text = 'Use `a`<b>`b</c>` here and there. Wow !<b>[x](https://example.com) is here now.';
    expect(extractOverview([release(text)])!.citations.map(({ citedText }) => citedText)).toEqual([
      'Use `a` `b</c>` here and there.',
      '[x](https://example.com) is here now.',
    ]);
  });

  it('does not end a sentence at an abbreviation, a version or inside code', () => {
    const text =
      'Use e.g. version 1.2.3 of `a. B` now. Then start [it. Now](https://example.com/a). Done with all of it!';
    expect(extractOverview([release(text)])!.citations.map(({ citedText }) => citedText)).toEqual([
      'Use e.g. version 1.2.3 of `a. B` now.',
      'Then start [it. Now](https://example.com/a).',
      'Done with all of it!',
    ]);
  });

  it.each([
    ['backticks', '`'.repeat(16_000)],
    ['runs of backticks', Array.from({ length: 170 }, (_, n) => '`'.repeat(n)).join(' ')],
    ['open brackets', '['.repeat(16_000)],
    ['half links', '[a]('.repeat(4_000)],
    ['half links with titles', '[a](b "'.repeat(2_300)],
    ['open tags', '<a '.repeat(5_300)],
    ['full stops', '. '.repeat(8_000)],
    ['stops and brackets', `.${')'.repeat(15_999)}`],
    ['combining marks', '\u0301'.repeat(16_000)],
    ['one long line', `${'word '.repeat(3_200)}`],
    ['many headings', '# a\n'.repeat(4_000)],
    ['comments', '<!-- '.repeat(3_200)],
  ])('reads forty releases of nothing but %s', (_, text) => {
    const releases = Array.from({ length: 40 }, (__, nth) => release(text, {}, nth));
    const overview = extractOverview(releases);
    if (overview !== null) expectExact(overview);
  });
});

describe('a summary', () => {
  it('counts all releases of its days, also those that it does not tell of', () => {
    const releases = [release('The launch pad can be heated now.')];
    const rolling = extractSummary({ type: 'rolling', windowDays: 30 }, { releases, count: 120 });
    expect(rolling?.split('\n')[0]).toBe('120 releases in the last 30 days.');
    const month = extractSummary({ type: 'monthly', year: 2030, month: 1 }, { releases, count: 1 });
    expect(month?.split('\n')[0]).toBe('1 release in 2030-01.');
    expect(month).toContain('- The launch pad can be heated now.');
  });
});
