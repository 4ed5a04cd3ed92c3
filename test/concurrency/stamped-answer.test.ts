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

describe('an answer that may be somewhat old', () => {
  let finish: (() => void)[];

  beforeEach(async () => {
    finish = [];
    answer = createStampedAnswer({ clock, stamp: () => stamp, keptMs: 50, lateMs: 400 }, async () => {
      asked += 1;
      const mine = asked;
      await duringAsk();
      return mine;
    });
    await answer.get();
    duringAsk = () => new Promise((resolve) => finish.push(resolve));
    clock.advance(50);
  });

  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('is given to all who ask while one of them has the next one made', async () => {
    expect(await Promise.all([answer.get(), answer.get()])).toEqual([1, 1]);
    expect(asked).toBe(2);
    finish[0]!();
    await settled();
    expect(await answer.get()).toBe(2);
    expect(asked).toBe(2);
  });

  it('is not given to anybody once it is too old, whatever is being made', async () => {
    await answer.get();
    clock.advance(350);
    const next = answer.get();
    for (const each of finish) each();
    expect(await next).toBe(3);
    await settled();
    expect(await answer.get()).toBe(3);
  });

  it('that takes long to be made is waited for by all who ask meanwhile, until it would be too old', async () => {
    answer.forget();
    const first = answer.get();
    clock.advance(399);
    const second = answer.get();
    expect(asked).toBe(2);
    clock.advance(1);
    const third = answer.get();
    for (const each of finish) each();
    expect(await Promise.all([first, second, third])).toEqual([2, 2, 3]);
  });

  it('counts its age from when it was asked for', async () => {
    await answer.get();
    clock.advance(300);
    finish[0]!();
    await settled();
    await answer.get();
    clock.advance(60);
    expect(await answer.get()).toBe(2);
    expect(asked).toBe(3);
    clock.advance(40);
    const next = answer.get();
    for (const each of finish) each();
    expect(await next).toBe(4);
  });

  it('is given to nobody when the stamp has changed or it was forgotten, nor is what was begun before', async () => {
    for (const change of [() => (stamp += 1), () => answer.forget()]) {
      finish = [];
      const [known, before] = [await answer.get(), asked];
      expect(known).toBeLessThan(before);
      change();
      const next = answer.get();
      for (const each of finish) each();
      expect(await next).toBe(before + 1);
      await settled();
      expect(await answer.get()).toBe(before + 1);
      clock.advance(50);
    }
  });

  it('is not given any more once the next one failed, and who asks then is told why', async () => {
    let fail: (error: Error) => void = () => undefined;
    duringAsk = () =>
      new Promise((_, reject) => {
        fail = reject;
      });
    expect(await answer.get()).toBe(1);
    fail(new Error('away'));
    await settled();
    const next = answer.get();
    fail(new Error('still away'));
    await expect(next).rejects.toThrow('still away');
  });
});
