import { describe, expect, test } from 'vitest';
import { sourceChangeFields, sourceCreateFields } from '../../../src/domain/source/fields.ts';
import { idOf } from '../../spec/events/entity-events.ts';
import { address, fieldBounds, text, times, uncleanTexts } from '../accepts.ts';

const npm = (name: unknown) => ({ ecosystem: 'npm', name });
const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
/** Metadata of exactly so many bytes. */
const bytes = (count: number) => ({ a: text(count - '{"a":""}'.length) });

const fields = {
  name: { accepted: ['A', text(120)], refused: ['', ' ', text(121), ...uncleanTexts, null] },
  url: {
    accepted: ['http://a.example', address(2048)],
    refused: ['ftp://a.example', address(2049), 'a.example', '', null],
  },
  slug: { accepted: ['a', text(64)], refused: ['', 'A', text(65), null] },
  type: { accepted: ['github', 'scrape', 'feed', 'agent', 'appstore', 'video'], refused: ['rss', null] },
  kind: { accepted: ['sdk', null], refused: ['library'] },
  isPrimary: { accepted: [true, false], refused: [null, 1] },
  isHidden: { accepted: [true, false], refused: [null, 1] },
  discovery: { accepted: ['curated', 'agent', 'on_demand'], refused: ['x', null] },
  fetchPriority: { accepted: ['normal', 'low', 'paused'], refused: ['high', null] },
  metadata: {
    accepted: [
      {},
      { any: ['thing', { deep: null }], n: 1.5 },
      { feedUrl: address(2048), githubUrl: null, changelogUrl: 'http://a.example', feedType: 'atom' },
      { deep: nested(31) },
      bytes(65_536),
    ],
    refused: [
      null,
      'text',
      [],
      { feedUrl: 'feed' },
      { feedUrl: 1 },
      { githubUrl: 'acme/kit' },
      { changelogUrl: 'ftp://a.example' },
      { feedType: 1 },
      { deep: nested(32) },
      { deep: nested(5000) },
      bytes(65_537),
      { a: 'ü'.repeat(32_768) },
      { a: uncleanTexts[0] },
      { [uncleanTexts[0] ?? '']: 1 },
      { a: [uncleanTexts[1]] },
    ],
  },
  packages: {
    accepted: [[], [npm('@acme/kit'), { ecosystem: 'pypi', name: text(214) }], times(50, (n) => npm(`p${n}`))],
    refused: [
      times(51, (n) => npm(`p${n}`)),
      [npm('')],
      [npm(' ')],
      [npm('a b')],
      [npm(text(215))],
      [{ ecosystem: 'cargo', name: 'a' }],
      [{ ...npm('a'), version: '1' }],
      ['a'],
      null,
    ],
  },
};

describe('fields of a new source', () => {
  fieldBounds(sourceCreateFields, { name: 'Blog', url: 'https://a.example' }, fields);

  test('name and address are required, other keys are refused', () => {
    expect(sourceCreateFields.safeParse({ name: 'x' }).success).toBe(false);
    expect(sourceCreateFields.safeParse({ url: 'https://a.example' }).success).toBe(false);
    expect(sourceCreateFields.safeParse({ name: 'x', url: 'https://a.example', stars: 1 }).success).toBe(false);
  });
});

describe('fields of a changed source', () => {
  fieldBounds(
    sourceChangeFields,
    {},
    {
      ...fields,
      productId: { accepted: [idOf('prod', 'A'), null], refused: [idOf('org', 'A'), '', 'widget'] },
    },
  );

  test('nothing sent is nothing to update; the org cannot be changed', () => {
    expect(sourceChangeFields.safeParse({}).success).toBe(false);
    expect(sourceChangeFields.safeParse({ name: 'x', orgId: idOf('org', 'A') }).success).toBe(false);
  });
});
