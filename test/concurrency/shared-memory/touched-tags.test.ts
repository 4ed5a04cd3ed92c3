import { describe, expect, it } from 'vitest';
import { createTouchedTags, placeOf, touchedTagsBytes } from '../../../src/concurrency/shared-memory/touched-tags.ts';

const places = (...tags: string[]): number[] => tags.map(placeOf);

describe('touched tags', () => {
  it('tell what was touched after a stamp, and nothing else', () => {
    const { stamp, touch, isTouchedSince } = createTouchedTags(new SharedArrayBuffer(touchedTagsBytes));
    const before = stamp();
    touch(['a', 'b']);
    expect(isTouchedSince(places('a'), before)).toBe(true);
    expect(isTouchedSince(places('c', 'b'), before)).toBe(true);
    expect(isTouchedSince(places('c'), before)).toBe(false);
    expect(isTouchedSince(places('a', 'b'), stamp())).toBe(false);
  });

  it('are the same for all who share the memory', () => {
    const memory = new SharedArrayBuffer(64 + touchedTagsBytes);
    const [one, other] = [createTouchedTags(memory, 64), createTouchedTags(memory, 64)];
    const before = other.stamp();
    one.touch(['a']);
    expect(other.stamp()).not.toBe(before);
    expect(other.isTouchedSince(places('a'), before)).toBe(true);
  });

  it('go on when the stamp begins anew', () => {
    const memory = new SharedArrayBuffer(touchedTagsBytes);
    new Int32Array(memory)[0] = 0x7fff_ffff;
    const { stamp, touch, isTouchedSince } = createTouchedTags(memory);
    const before = stamp();
    touch(['a']);
    expect(stamp()).toBe(-0x8000_0000);
    expect(isTouchedSince(places('a'), before)).toBe(true);
    expect(isTouchedSince(places('a'), stamp())).toBe(false);
  });
});
