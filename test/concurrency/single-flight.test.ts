import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createSingleFlight } from '../../src/concurrency/single-flight.ts';

interface BegunRun {
  readonly end: () => void;
  readonly fail: (error: Error) => void;
}

/** A flight whose runs end when the test says so. */
const createFlight = () => {
  const runs: BegunRun[] = [];
  const fly = createSingleFlight(
    () =>
      new Promise<void>((resolve, reject) => {
        runs.push({ end: resolve, fail: reject });
      }),
  );
  return { runs, fly };
};

describe('a single flight', () => {
  it('answers a call by a run that began after it', async () => {
    const { runs, fly } = createFlight();
    const first = fly();
    await nextTurn();
    let isAnswered = false;
    const second = fly().then(() => {
      isAnswered = true;
    });
    runs[0]!.end();
    await first;
    await nextTurn();
    expect([runs.length, isAnswered]).toEqual([2, false]);
    runs[1]!.end();
    await second;
  });

  it('never runs twice at once, and lets those who wait together share a run', async () => {
    const { runs, fly } = createFlight();
    const first = fly();
    await nextTurn();
    const waiting = [fly(), fly(), fly()];
    await nextTurn();
    expect(runs).toHaveLength(1);
    runs[0]!.end();
    await first;
    await nextTurn();
    expect(runs).toHaveLength(2);
    runs[1]!.end();
    await Promise.all(waiting);
    expect(runs).toHaveLength(2);
  });

  it('tells a failure to those who asked for that run only', async () => {
    const { runs, fly } = createFlight();
    const failing = expect(fly()).rejects.toThrow('the store is away');
    await nextTurn();
    const next = fly();
    runs[0]!.fail(new Error('the store is away'));
    await failing;
    await nextTurn();
    runs[1]!.end();
    await next;
  });
});
