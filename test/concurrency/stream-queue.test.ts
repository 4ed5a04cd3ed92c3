import { describe, expect, it } from 'vitest';
import { createStreamQueue } from '../../src/concurrency/stream-queue.ts';

/** A task that ends when the test says so. */
const createTask = (log: string[], name: string) => {
  let end = () => {};
  const isOver = new Promise<void>((resolve) => (end = resolve));
  const run = async () => {
    log.push(`${name} begins`);
    await isOver;
    log.push(`${name} ends`);
    return name;
  };
  return { run, end };
};

describe('stream queue', () => {
  it('runs tasks of one key one after another, in the order they came', async () => {
    const queue = createStreamQueue();
    const log: string[] = [];
    const [first, second] = [createTask(log, 'first'), createTask(log, 'second')];
    second.end(); // it could end at once, if it were let in
    const results = [queue.run('a', first.run), queue.run('a', second.run)];
    first.end();
    expect(await Promise.all(results)).toEqual(['first', 'second']);
    expect(log).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  });

  it('runs tasks of different keys side by side', async () => {
    const queue = createStreamQueue();
    const log: string[] = [];
    const [held, free] = [createTask(log, 'held'), createTask(log, 'free')];
    const waiting = queue.run('a', held.run);
    free.end();
    expect(await queue.run('b', free.run)).toBe('free');
    held.end();
    await waiting;
  });

  it('lets the next task run when one failed, and tells each caller its own outcome', async () => {
    const queue = createStreamQueue();
    const failed = queue.run('a', () => Promise.reject(new Error('no')));
    const next = queue.run('a', async () => 'yes');
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });

  it('takes up a key again that had come to rest', async () => {
    const queue = createStreamQueue();
    await queue.run('a', async () => 1);
    expect(await queue.run('a', async () => 2)).toBe(2);
  });
});
