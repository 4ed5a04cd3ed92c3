import { describe, expect, it } from 'vitest';
import { normalizeDomain } from '../../../src/domain/name/domain-name.ts';

describe('normalizeDomain', () => {
  it.each([
    ['example.com', 'example.com'],
    ['EXAMPLE.Com', 'example.com'],
    ['  example.com  ', 'example.com'],
    ['https://example.com', 'example.com'],
    ['HTTPS://Example.com/Path?q=a@b.c#x', 'example.com'],
    ['//example.com/x', 'example.com'],
    ['git+ssh://example.com/x', 'example.com'],
    ['https://me:secret@example.com:8443/x', 'example.com'],
    ['me@example.com', 'example.com'],
    ['example.com:8080', 'example.com'],
    ['example.com:', 'example.com'],
    ['example.com/path', 'example.com'],
    ['example.com?x=1', 'example.com'],
    ['example.com#x', 'example.com'],
    ['www.example.com', 'example.com'],
    ['WWW.example.com', 'example.com'],
    ['www.www.example.com', 'www.example.com'],
    ['wwwexample.com', 'wwwexample.com'],
    ['example.com.', 'example.com'],
    ['https://www.example.com.:443/', 'example.com'],
    ['docs.api.example.co.uk', 'docs.api.example.co.uk'],
    ['a-b.example', 'a-b.example'],
    ['1password.com', '1password.com'],
    ['3.14.example.com', '3.14.example.com'],
    ['münchen.example', 'xn--mnchen-3ya.example'],
    ['MÜNCHEN.example', 'xn--mnchen-3ya.example'],
    ['xn--mnchen-3ya.example', 'xn--mnchen-3ya.example'],
    ['例え.jp', 'xn--r8jz45g.jp'],
  ])('%s is %s', (text, domain) => {
    expect(normalizeDomain(text)).toBe(domain);
    expect(normalizeDomain(domain)).toBe(domain.replace(/^www\./, ''));
  });

  it.each([
    '',
    '   ',
    'localhost',
    'https://localhost:3000/',
    'www.localhost',
    'com.',
    '127.0.0.1',
    'http://127.0.0.1:80/',
    '127.1',
    '0x7f.0.0.1',
    '127.0.0.1.',
    '[::1]',
    'http://[2001:db8::1]:8080/',
    '2001:db8::1',
    '::1',
    '.example.com',
    'example..com',
    'example.com..',
    '-a.example',
    'a-.example',
    'a_b.example',
    'a b.example',
    'exa\tmple.com',
    '%65xample.com',
    'example.com:port',
    'example.1',
    'https://',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(130)}example`,
    `example.com/${'a'.repeat(3000)}`,
  ])('%j is no domain', (text) => {
    expect(normalizeDomain(text)).toBeNull();
  });
});
