import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRenewedThread, type RenewedThread } from '../../../src/adapters/threads/renewed-thread.ts';
import { eventually } from '../../spec/eventually.ts';
import type { ThreadChildCalls } from './thread-child.ts';

describe('renewed thread', () => {
  let thread: RenewedThread<ThreadChildCalls>;
  let fatal: Error[];
  let workers: Worker[];
  const remember = (worker: Worker) => void workers.push(worker);
  const create = (stuckAfterMs?: number) =>
    createRenewedThread<ThreadChildCalls>({
      name: 'test',
      beside: import.meta.url,
      module: 'thread-child',
      onFatal: (error) => void fatal.push(error),
      ...(stuckAfterMs !== undefined && { stuckAfterMs }),
    });

  beforeEach(() => {
    workers = [];
    fatal = [];
    process.on('worker', remember);
  });
  afterEach(async () => {
    process.off('worker', remember);
    await thread.stop();
  });

  it('starts with the first call, once for those that come together', async () => {
    thread = create();
    expect(workers).toHaveLength(0);
    expect(await Promise.all([thread.call('double', 1), thread.call('double', 2)])).toEqual([2, 4]);
    expect(workers).toHaveLength(1);
  });

  it('ends a thread that does not answer, and starts another for the next call', async () => {
    thread = create(300);
    await thread.call('double', 1);
    const together = expect(thread.call('hang', null)).rejects.toThrow('The test thread ended');
    await expect(thread.call('hang', null)).rejects.toThrow('The test thread ended');
    await together;
    expect(await thread.call('double', 2)).toBe(4);
    expect(workers).toHaveLength(2);
    expect(fatal).toEqual([]);
  });

  it('is given up when it is stuck again and again', async () => {
    thread = create(50);
    for (let starts = 0; starts < 4; starts += 1) {
      await expect(thread.call('hang', null)).rejects.toThrow('The test thread ended');
    }
    await expect(thread.call('hang', null)).rejects.toThrow('more than 3 times in a minute');
    expect(fatal.map(({ cause }) => (cause as Error).message)).toEqual([
      'The test thread did not answer within 50 ms.',
    ]);
  });

  it('breaks off what is in hand when it is stopped, and takes nothing more', async () => {
    thread = create();
    await thread.call('double', 1);
    const inHand = expect(thread.call('hang', null)).rejects.toThrow('The test thread ended');
    await thread.call('double', 1);
    await Promise.all([thread.stop(), thread.stop()]);
    await inHand;
    await expect(thread.call('double', 1)).rejects.toThrow('closed');
    await eventually('no thread is left', () => workers.every(({ threadId }) => threadId === -1));
  });
});
