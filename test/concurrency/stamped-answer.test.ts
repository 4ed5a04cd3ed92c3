import { beforeEach, describe, expect, it } from 'vitest';
import { createStampedAnswer, type StampedAnswer } from '../../src/concurrency/stamped-answer.ts';
import { createFakeClock, type FakeClock } from '../spec/fake-clock.ts';

let clock: FakeClock;
let stamp: number;
let asked: number;
let duringAsk: () => Promise<void>;
let answer: StampedAnswer<number>;

beforeEach(() => {
  clock = createFakeClock();
  stamp = 0;
  asked = 0;
  duringAsk = async () => {};
  answer = createStampedAnswer({ clock, stamp: () => stamp, keptMs: 50 }, async () => {
    asked += 1;
    const mine = asked;
    await duringAsk();
    return mine;
  });
});

describe('an answer that is good while a stamp stands', () => {
  it('is asked for once by all who come in that time', async () => {
    expect(await Promise.all([answer.get(), answer.get()])).toEqual([1, 1]);
    clock.advance(49);
    expect(await answer.get()).toBe(1);
  });

  it('is asked for anew when the stamp has changed', async () => {
    await answer.get();
    stamp += 1;
    expect(await answer.get()).toBe(2);
    expect(await answer.get()).toBe(2);
  });

  it('is asked for anew when the stamp changed while it was made', async () => {
    duringAsk = async () => {
      stamp += 1;
      duringAsk = async () => {};
    };
    expect(await answer.get()).toBe(1);
    expect(await answer.get()).toBe(2);
  });

  it('is asked for anew after its time, counted from when it was asked for, and when the clock was set back', async () => {
    duringAsk = async () => clock.advance(30);
    await answer.get();
    clock.advance(20);
    expect(await answer.get()).toBe(2);
    clock.advance(-60_000);
    expect(await answer.get()).toBe(3);
  });

  it('is asked for anew once it is forgotten, or has failed', async () => {
    await answer.get();
    answer.forget();
    duringAsk = () => Promise.reject(new Error('away'));
    await expect(answer.get()).rejects.toThrow('away');
    duringAsk = async () => {};
    expect(await answer.get()).toBe(3);
  });
});
