import { describe, expect, test } from 'vitest';
import { entityNotice } from '../../src/domain/entity-notice.ts';
import { address, fieldBounds, text, uncleanTexts } from './accepts.ts';

describe('entity notice', () => {
  fieldBounds(
    entityNotice,
    { message: 'Moved', href: '/new' },
    {
      message: { accepted: ['x', text(280)], refused: ['', ' ', text(281), ...uncleanTexts, null] },
      linkText: { accepted: ['x', text(60)], refused: ['', text(61), null] },
      coordinate: { accepted: ['x', text(200)], refused: ['', text(201), null] },
      href: {
        accepted: [address(500), 'http://a.example', '/', '/path?q#f'],
        refused: [address(501), '//evil.example', '/\\evil.example', 'path', 'javascript:alert(1)', '/a b', '', null],
      },
    },
  );

  test('a link text needs somewhere to lead', () => {
    const paths = entityNotice.safeParse({ message: 'x', linkText: 'y' }).error?.issues.map(({ path }) => path);
    expect(paths).toEqual([['linkText']]);
    expect(entityNotice.safeParse({ message: 'x', linkText: 'y', coordinate: 'acme/kit' }).success).toBe(true);
  });
});
