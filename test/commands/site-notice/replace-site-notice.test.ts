import { describe, expect, test } from 'vitest';
import { replaceSiteNotice } from '../../../commands/site-notice/replace-site-notice.ts';
import type { SiteNotice, SiteNoticeReplaced } from '../../../src/domain/site-notice/events.ts';
import { given, testNow } from '../../spec/given-when-then.ts';

const notice: SiteNotice = {
  active: true,
  message: 'We move house',
  linkText: 'How',
  href: '/moving',
  placement: 'home',
  color: '#aA0011',
  dismissible: false,
};
const replaced = (fields: SiteNotice): SiteNoticeReplaced => ({
  type: 'SiteNoticeReplaced.v1',
  data: { notice: fields, replacedAt: testNow },
});

describe('replace the site notice', () => {
  test('as a whole: what is not sent is not there', () => {
    const { linkText: _, href: __, ...plain } = notice;
    given(replaceSiteNotice)
      .when(notice)
      .then([replaced(notice)]);
    given(replaceSiteNotice, [replaced(notice)])
      .when(plain)
      .then([replaced(plain)]);
  });

  test('the same again is nothing new', () => {
    given(replaceSiteNotice, [replaced(notice)])
      .when(notice)
      .thenNothing();
  });

  test('bounds', () => {
    const accepts = (fields: object) => replaceSiteNotice.input.safeParse({ ...notice, ...fields }).success;
    expect(accepts({ message: 'x'.repeat(280), linkText: 'x'.repeat(60), href: `/${'x'.repeat(499)}` })).toBe(true);
    expect(accepts({ href: 'https://example.com' })).toBe(true);
    for (const fields of [
      { message: '' },
      { message: '  ' },
      { message: 'x'.repeat(281) },
      { linkText: '' },
      { linkText: 'x'.repeat(61) },
      { href: `/${'x'.repeat(500)}` },
      { href: '//example.com' },
      { href: 'javascript:alert(1)' },
      { href: 'moving' },
      { href: null },
      { placement: 'footer' },
      { color: 'red' },
      { color: '#aa00112' },
      { color: '#aa001' },
      { color: '#aa0011\n' },
      { active: 'yes' },
      { dismissible: null },
      { title: 'x' },
    ]) {
      expect(accepts(fields), JSON.stringify(fields)).toBe(false);
    }
  });

  test('a text for a link needs the link', () => {
    const { href: _, ...unlinked } = notice;
    const { error } = replaceSiteNotice.input.safeParse(unlinked);
    expect(error?.issues).toMatchObject([{ path: ['linkText'], message: 'needs href' }]);
  });
});
