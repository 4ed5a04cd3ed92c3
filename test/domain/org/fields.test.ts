import { describe, expect, test } from 'vitest';
import { orgChangeFields, orgCreateFields } from '../../../src/domain/org/fields.ts';
import { address, fieldBounds, text, times, uncleanTexts } from '../accepts.ts';

const optional = {
  slug: {
    accepted: ['a', '0-9', text(64)],
    refused: ['', '-a', 'A', 'a_b', text(65), text(10_000), null],
  },
  domain: {
    accepted: ['acme.example', 'HTTPS://Acme.Example/path', null],
    refused: ['', 'acme', '127.0.0.1', 'a b.example', ...uncleanTexts, 1],
  },
  description: { accepted: ['', text(2000), '😀'.repeat(2000), null], refused: [text(2001), ...uncleanTexts, 1] },
  category: { accepted: ['ai', 'developer-tools', null], refused: ['AI', 'games', ''] },
  avatarUrl: {
    accepted: [address(2048), null],
    refused: [address(2049), 'http://a.example/x', '/x', 'https://a.example/ x', '', ...uncleanTexts],
  },
  tags: {
    accepted: [[], [text(60)], times(50, String)],
    refused: [[''], [' '], [text(61)], times(51, String), [1], 'a', null, [uncleanTexts[0]]],
  },
  aliases: {
    accepted: [[], times(20, (n) => `d${n}.example`)],
    refused: [times(21, (n) => `d${n}.example`), ['acme'], null],
  },
  featured: { accepted: [true, false], refused: ['true', 1, null] },
  autoGenerateContent: { accepted: [true, false], refused: ['true', null] },
  discovery: { accepted: ['curated', 'agent', 'on_demand'], refused: ['manual', null] },
};
const name = { accepted: ['A', text(120), '😀'.repeat(120)], refused: ['', ' ', text(121), ...uncleanTexts, null, 1] };

describe('fields of a new org', () => {
  fieldBounds(orgCreateFields, { name: 'Acme' }, { name, ...optional });

  test('a name is required, other keys are refused', () => {
    expect(orgCreateFields.safeParse({}).success).toBe(false);
    for (const key of ['isHidden', 'status', 'locations', 'id']) {
      expect(orgCreateFields.safeParse({ name: 'Acme', [key]: true }).success).toBe(false);
    }
  });

  test('parsing what was parsed changes nothing', () => {
    const once = orgCreateFields.parse({
      name: 'Acme',
      domain: 'WWW.Acme.example',
      tags: ['b', 'a'],
      aliases: ['B.example'],
    });
    expect(orgCreateFields.parse(once)).toEqual(once);
  });
});

describe('fields of a changed org', () => {
  fieldBounds(
    orgChangeFields,
    {},
    {
      name,
      ...optional,
      isHidden: { accepted: [true, false], refused: [null, 'true'] },
      fetchPaused: { accepted: [true, false], refused: [null, 0] },
      overviewCadenceDays: { accepted: [1, 90, null], refused: [0, 91, 1.5, '7'] },
      notice: { accepted: [{ message: 'x' }, null], refused: [{}, 'x', { message: 'x', color: 'red' }] },
      locations: {
        accepted: [[], times(32, (n) => ({ github: `a/b${n}` }))],
        refused: [times(33, (n) => ({ github: `a/b${n}` })), null],
      },
    },
  );

  test('nothing sent is nothing to update, other keys are refused', () => {
    expect(orgChangeFields.safeParse({}).success).toBe(false);
    expect(orgChangeFields.safeParse({ status: 'stub' }).success).toBe(false);
    expect(orgChangeFields.safeParse({ name: 'x', status: 'stub' }).success).toBe(false);
  });
});
