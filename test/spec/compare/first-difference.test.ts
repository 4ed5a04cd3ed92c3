import { describe, expect, it } from 'vitest';
import { firstDifference } from '../first-difference.ts';
import { same, sameParts } from './comparison.ts';

const none = () => false;

describe('the first difference', () => {
  it('is a key of which nothing is expected', () => {
    expect(firstDifference({ a: [{ b: 1 }] }, { a: [{ b: 1, c: 2 }] }, none)).toBe(
      '.a[0].c is 2, of which nothing is expected',
    );
    expect(firstDifference({ a: 1 }, { a: 1, c: 2 }, (path) => path === '.c')).toBeNull();
  });

  it('is what is missing, more, or another value', () => {
    expect(firstDifference({ a: 1 }, {}, none)).toBe('.a is nothing, expected 1');
    expect(firstDifference([1], [1, 2], none)).toBe('[1] is 2, expected nothing');
    expect(firstDifference({ a: { b: 1 } }, { a: { b: '1' } }, none)).toBe('.a.b is "1", expected 1');
  });
});

describe('an answer', () => {
  it('has no key that the oracle does not compute, but for those that nobody can', () => {
    expect(() => same('it', { id: 1 }, { id: 1, version: 2 })).toThrow('it: .version is 2');
    // Of an answer as a whole, not of whatever has such a key.
    expect(() => same('it', { answer: {} }, { answer: { releases: [] } })).not.toThrow();
    expect(() => same('it', { answer: { org: {} } }, { answer: { org: { releases: [] } } })).toThrow('releases');
  });

  it('is compared in parts only where somebody says so', () => {
    expect(() => sameParts('it', { id: 1 }, { id: 1, version: 2 })).not.toThrow();
    expect(() => sameParts('it', { id: 1 }, { id: 2, version: 2 })).toThrow('it: .id is 2, expected 1');
  });
});
