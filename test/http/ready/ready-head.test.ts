import { expect, it } from 'vitest';
import { headLines } from '../../../src/http/ready/ready-head.ts';

it('the lines of a head are fields that can be sent, and nothing else', () => {
  expect(headLines(Object.entries({ ETag: '"a"', Vary: 'Accept, Origin' }))).toBe(
    'ETag: "a"\r\nVary: Accept, Origin\r\n',
  );
  for (const value of ['a\r\nX-Other: b', 'a\nb', 'a\rb', 'a\0', 'ž']) {
    expect(() => headLines([['Link', value]]), JSON.stringify(value)).toThrow('cannot be sent');
  }
  for (const name of ['', 'X Y', 'X:', 'X\r\nY'])
    expect(() => headLines([[name, 'a']]), name).toThrow('cannot be sent');
});
