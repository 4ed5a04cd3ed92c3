import { describe, expect, it } from 'vitest';
import { createCachedAnswer } from '../../src/concurrency/cached-answer.ts';
import { createFakeClock } from '../spec/fake-clock.ts';

describe('a kept answer', () => {
  it('is shared while it is asked for and for a while after, and then asked for again', async () => {
    const clock = createFakeClock();
    const answers: ((text: string) => void)[] = [];
    const ask = createCachedAnswer(clock, 1_000, () => new Promise<string>((resolve) => answers.push(resolve)));
    const both = Promise.all([ask(), ask()]);
    clock.advance(60_000);
    const third = ask();
    answers[0]?.('first');
    expect([...(await both), await third]).toEqual(['first', 'first', 'first']);
    clock.advance(999);
    expect(await ask()).toBe('first');
    clock.advance(1);
    const later = ask();
    answers[1]?.('second');
    expect(await later).toBe('second');
    expect(answers).toHaveLength(2);
  });

  it('may be a failure', async () => {
    const clock = createFakeClock();
    let asked = 0;
    const ask = createCachedAnswer(clock, 1_000, async () => {
      asked += 1;
      throw new Error('away');
    });
    await expect(ask()).rejects.toThrow('away');
    await expect(ask()).rejects.toThrow('away');
    expect(asked).toBe(1);
  });
});
