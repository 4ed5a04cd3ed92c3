import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createParsedTexts } from '../../../../src/adapters/embedded/read-models/parsed-texts.ts';

interface Doc {
  readonly id: string;
}

const textOf = (id: string): string => JSON.stringify({ id });
const charsOfOne = textOf('a').length;

describe('parsed texts', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are what the text says, and the same document for the same text', () => {
    const parse = createParsedTexts<Doc>(1_000);
    const first = parse(textOf('a'));
    expect(first).toEqual({ id: 'a' });
    expect(parse(textOf('a'))).toBe(first);
    expect(parse(textOf('b'))).toEqual({ id: 'b' });
  });

  it('are given up in the order in which they were asked for when there are too many', () => {
    const parse = createParsedTexts<Doc>(2 * charsOfOne);
    const [first, second] = [parse(textOf('a')), parse(textOf('b'))];
    parse(textOf('c'));
    expect(parse(textOf('a'))).toBe(first); // asked for again, so it is one of the young
    parse(textOf('d'));
    expect(parse(textOf('b'))).not.toBe(second);
    expect(parse(textOf('a'))).toBe(first);
  });

  it('are given up by themselves when nobody asks for them', () => {
    const parse = createParsedTexts<Doc>(1_000);
    const first = parse(textOf('a'));
    vi.advanceTimersByTime(59_000);
    expect(parse(textOf('a'))).toBe(first);
    vi.advanceTimersByTime(61_000);
    expect(vi.getTimerCount()).toBe(0);
    expect(parse(textOf('a'))).not.toBe(first);
  });

  it('are parsed each time when they are long', () => {
    const parse = createParsedTexts<Doc>(1_000_000);
    const long = textOf('a'.repeat(5_000));
    expect(parse(long)).not.toBe(parse(long));
  });
});
