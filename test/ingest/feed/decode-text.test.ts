import { describe, expect, it } from 'vitest';
import { decodeText } from '../../../src/ingest/feed/decode-text.ts';

const xml = (encoding: string | null, text: string) =>
  `<?xml version="1.0"${encoding === null ? '' : ` encoding="${encoding}"`}?><a>${text}</a>`;
const latin = (text: string) => Buffer.from(text, 'latin1');
const utf8 = (text: string) => Buffer.from(text, 'utf8');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const inside = (text: string) => /<a>(.*)<\/a>/su.exec(text)?.[1];

describe('decodeText', () => {
  it.each([
    ['nothing said', utf8(xml(null, 'é 漢 😀')), undefined, 'é 漢 😀'],
    ['a header that is right', latin(xml(null, 'caf\xe9')), 'text/xml; charset=ISO-8859-1', 'café'],
    ['a header in quotes', latin(xml(null, '\xcc\xc5')), 'text/xml;charset="koi8-r"', 'ле'],
    ['a declaration that is right', latin(xml('koi8-r', '\xcc\xc5')), 'text/xml', 'ле'],
    [
      'another declaration',
      Buffer.from([...utf8(xml('Shift_JIS', '').slice(0, -4)), 0x93, 0xfa, ...utf8('</a>')]),
      undefined,
      '日',
    ],
    ['a header that lies', utf8(xml('utf-8', 'é')), 'text/xml; charset=iso-8859-1', 'é'],
    ['a declaration that lies', utf8(xml('iso-8859-1', 'é')), undefined, 'é'],
    [
      'a declaration of UTF-8 that lies',
      latin(xml('utf-8', 'caf\xe9 \x93q\x94')),
      'text/xml; charset=utf-8',
      'café “q”',
    ],
    ['windows-1252 by its other name', latin(xml('iso-8859-1', '\x80 \x92 \x97')), undefined, '€ ’ —'],
    ['nothing said and no UTF-8', latin(xml(null, 'caf\xe9')), undefined, 'café'],
    ['an encoding that nobody knows', latin(xml('x-mine', 'caf\xe9')), 'text/xml; charset=none', 'café'],
    [
      'one slip in UTF-8',
      Buffer.concat([utf8('<a>ü漢é'), Buffer.from([0xe9]), utf8('ß</a>')]),
      undefined,
      'ü漢é\ufffdß',
    ],
    ['a mark of UTF-8', utf8(`\ufeff${xml('iso-8859-1', 'é')}`), undefined, 'é'],
    ['a mark of UTF-16', utf16(`\ufeff${xml('utf-16', 'é漢')}`), undefined, 'é漢'],
    ['UTF-16 from its other end', utf16(`\ufeff${xml('utf-16', 'é漢')}`).swap16(), 'text/xml; charset=utf-8', 'é漢'],
    ['UTF-16 without a mark', utf16(xml(null, 'é')), undefined, 'é'],
    ['UTF-16 that is none', utf8(xml('utf-16', 'é')), undefined, 'é'],
    ['an encoding in seven bits', latin(xml('iso-2022-jp', '\x1b$BF|\x1b(B')), undefined, '日'],
  ])('reads %s', (_, bytes, contentType, text) => {
    expect(inside(decodeText(bytes, contentType))).toBe(text);
  });

  it('begins with the text, not with a mark', () => {
    expect(decodeText(utf8('\ufeff<a>'), undefined)).toBe('<a>');
    expect(decodeText(new Uint8Array(), undefined)).toBe('');
  });
});
