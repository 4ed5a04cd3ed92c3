import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createKeptDocuments,
  type KeptDocuments,
} from '../../../../src/adapters/embedded/read-models/kept-documents.ts';

interface Doc {
  readonly id: string;
}

const textOf = (id: string): string => JSON.stringify({ id });
const charsOfOne = textOf('a').length;

/** As a read model asks: for the position only of what was asked for before, for the text only of what is not kept. */
const ask = ({ isMet, find, parse }: KeptDocuments<Doc>, id: string, position = 1): Doc =>
  isMet(id) ? (find(id, position) ?? parse(id, position, textOf(id))) : parse(id, null, textOf(id));

const askTwice = (kept: KeptDocuments<Doc>, id: string): Doc => {
  ask(kept, id);
  return ask(kept, id);
};

describe('kept documents', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are what the text says, and the same document from the second time on', () => {
    const kept = createKeptDocuments<Doc>(1_000);
    const first = ask(kept, 'a');
    expect(first).toEqual({ id: 'a' });
    const second = ask(kept, 'a');
    expect(second).not.toBe(first);
    expect(ask(kept, 'a')).toBe(second);
    expect(ask(kept, 'b')).toEqual({ id: 'b' });
  });

  it('are not kept past a write', () => {
    const kept = createKeptDocuments<Doc>(1_000);
    askTwice(kept, 'a');
    expect(kept.find('a', 1)).toBeDefined();
    expect(kept.find('a', 2)).toBeUndefined();
    vi.advanceTimersByTime(31_000);
    expect(kept.find('a', 2)).toBeUndefined();
    expect(kept.find('a', 1)).toBeDefined();
  });

  it('are kept anew when they are asked for after a write', () => {
    const kept = createKeptDocuments<Doc>(1_000);
    const before = askTwice(kept, 'a');
    const after = ask(kept, 'a', 2);
    expect(after).not.toBe(before);
    expect(ask(kept, 'a', 2)).toBe(after);
  });

  it('are given up in the order in which they were asked for when there are too many', () => {
    const kept = createKeptDocuments<Doc>(2 * charsOfOne);
    const [first, second] = [askTwice(kept, 'a'), askTwice(kept, 'b')];
    askTwice(kept, 'c');
    expect(ask(kept, 'a')).toBe(first); // asked for again, so it is one of the young
    askTwice(kept, 'd');
    expect(ask(kept, 'b')).not.toBe(second);
    expect(ask(kept, 'a')).toBe(first);
  });

  it('are given up by themselves when nobody asks for them', () => {
    const kept = createKeptDocuments<Doc>(1_000);
    const first = askTwice(kept, 'a');
    vi.advanceTimersByTime(59_000);
    expect(ask(kept, 'a')).toBe(first);
    vi.advanceTimersByTime(61_000);
    expect(vi.getTimerCount()).toBe(0);
    expect(ask(kept, 'a')).not.toBe(first);
  });

  it('are parsed each time when they are long', () => {
    const kept = createKeptDocuments<Doc>(1_000_000);
    const long = 'a'.repeat(5_000);
    askTwice(kept, long);
    expect(kept.find(long, 1)).toBeUndefined();
  });
});
