import { describe, expect, it } from 'vitest';
import { createDueQueue } from '../../../src/adapters/dispatch/due-queue.ts';
import { createFakeClock } from '../../spec/fake-clock.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('what is due later', () => {
  it('is done when its time has come, the earliest first, those of one time in their order', async () => {
    const clock = createFakeClock();
    const queue = createDueQueue(clock);
    const done: string[] = [];
    const add = (delayMs: number, name: string) => queue.add(delayMs, () => void done.push(name));
    add(300, 'late');
    add(100, 'early');
    add(200, 'first of two');
    add(200, 'second of two');
    clock.advance(99);
    await turn();
    expect(done).toEqual([]);
    clock.advance(1);
    await turn();
    expect(done).toEqual(['early']);
    clock.advance(200);
    await turn();
    expect(done).toEqual(['early', 'first of two', 'second of two', 'late']);
    add(10, 'after it was empty');
    clock.advance(10);
    await turn();
    expect(done.at(-1)).toBe('after it was empty');
  });

  it('is not done after it was closed', async () => {
    const clock = createFakeClock();
    const queue = createDueQueue(clock);
    const done: string[] = [];
    queue.add(10, () => void done.push('before'));
    queue.close();
    queue.add(10, () => void done.push('after'));
    clock.advance(20);
    await turn();
    expect(done).toEqual([]);
  });
});
