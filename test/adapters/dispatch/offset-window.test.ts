import { describe, expect, it } from 'vitest';
import { createOffsetWindow } from '../../../src/adapters/dispatch/offset-window.ts';
import { createSeeded } from '../../spec/seeded.ts';

describe('the window of unfinished offsets', () => {
  it('commits up to the first unfinished offset, over gaps', () => {
    const window = createOffsetWindow(3);
    expect(window.next()).toBe(3);
    for (const offset of [5, 6, 9, 20]) window.add(offset);
    expect(window.next()).toBe(5);
    window.finish(6);
    window.finish(20);
    expect(window.next()).toBe(5);
    window.finish(5);
    expect(window.next()).toBe(9);
    window.finish(9);
    expect(window.next()).toBe(21);
  });

  it('takes offsets in rising order and finishes each once', () => {
    const window = createOffsetWindow(0);
    window.add(4);
    expect(() => window.add(4)).toThrow('4');
    expect(() => window.add(2)).toThrow('2');
    window.finish(4);
    expect(() => window.finish(4)).toThrow('4');
    expect(() => window.finish(7)).toThrow('7');
  });

  it.each([1, 2, 3, 4, 5])('never passes an unfinished offset, in random order (seed %i)', (seed) => {
    const seeded = createSeeded(seed);
    const window = createOffsetWindow(0);
    const unfinished: number[] = [];
    let end = 0;
    for (let step = 0; step < 2_000; step += 1) {
      if (seeded.chance(50)) {
        const offset = end + seeded.int(0, 3);
        window.add(offset);
        unfinished.push(offset);
        end = offset + 1;
      } else if (unfinished.length > 0) {
        const [offset] = unfinished.splice(seeded.int(0, unfinished.length - 1), 1);
        window.finish(offset!);
      }
      expect(window.next()).toBe(Math.min(end, ...unfinished));
    }
  });
});
