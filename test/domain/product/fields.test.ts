import { describe, expect, test } from 'vitest';
import { productChangeFields, productCreateFields } from '../../../src/domain/product/fields.ts';
import { address, fieldBounds, text, times, uncleanTexts } from '../accepts.ts';

const fields = {
  name: { accepted: ['A', text(120)], refused: ['', ' ', text(121), ...uncleanTexts, null] },
  url: {
    accepted: ['http://a.example', address(2048), null],
    refused: ['ftp://a.example', address(2049), 'a.example', ''],
  },
  description: { accepted: ['', text(2000), null], refused: [text(2001), ...uncleanTexts] },
  category: { accepted: ['security', null], refused: ['Security', ''] },
  kind: { accepted: ['sdk', null], refused: ['library', ''] },
  avatarUrl: { accepted: [address(2048), null], refused: [address(2049), 'http://a.example'] },
  tags: { accepted: [[], times(50, String)], refused: [times(51, String), [text(61)], null] },
  aliases: {
    accepted: [[], times(20, (n) => `d${n}.example`)],
    refused: [times(21, (n) => `d${n}.example`), ['x'], null],
  },
};

describe('fields of a new product', () => {
  fieldBounds(
    productCreateFields,
    { name: 'Widget' },
    {
      ...fields,
      slug: { accepted: ['a', text(64)], refused: ['', 'A', text(65), null] },
    },
  );

  test('a name is required, other keys are refused', () => {
    expect(productCreateFields.safeParse({}).success).toBe(false);
    expect(productCreateFields.safeParse({ name: 'x', isHidden: true }).success).toBe(false);
  });
});

describe('fields of a changed product', () => {
  fieldBounds(
    productChangeFields,
    {},
    {
      ...fields,
      isHidden: { accepted: [true, false], refused: [null] },
      notice: { accepted: [{ message: 'x' }, null], refused: [{ message: '' }] },
    },
  );

  test('nothing sent is nothing to update; neither slug nor org can be changed', () => {
    expect(productChangeFields.safeParse({}).success).toBe(false);
    for (const key of ['slug', 'orgId']) {
      expect(productChangeFields.safeParse({ name: 'x', [key]: 'y' }).success).toBe(false);
    }
  });
});
