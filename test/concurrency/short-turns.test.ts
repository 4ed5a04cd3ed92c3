import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createShortTurns } from '../../src/concurrency/short-turns.ts';
import { createFakeClock } from '../spec/fake-clock.ts';

it('of several who work at once, one begins a long piece in each turn', async () => {
  const clock = createFakeClock();
  let waiting: (() => void)[] = [];
  const sleep = () => new Promise<void>((wake) => void waiting.push(wake));
  const mayGoOn = createShortTurns({ nowMs: clock.nowMs, sleep });
  let pieces = 0;
  const work = async () => {
    for (let piece = 0; piece < 3; piece += 1) {
      await mayGoOn();
      clock.advance(6);
      pieces += 1;
    }
  };
  const working = Promise.all([work(), work(), work()]);
  const begun: number[] = [];
  do {
    const before = pieces;
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
    await nextTurn();
    begun.push(pieces - before);
  } while (waiting.length > 0);
  await working;
  expect(begun).toEqual(Array(9).fill(1));
});
