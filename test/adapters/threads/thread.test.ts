import { getPriority } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { joinThread } from '../../../src/adapters/threads/join-thread.ts';
import { startThread, type Thread } from '../../../src/adapters/threads/thread.ts';
import { StartupError } from '../../../src/kernel/startup-error.ts';
import { eventually } from '../../spec/eventually.ts';
import type { ThreadChildCalls } from './thread-child.ts';

describe('thread', () => {
  let threads: Thread<ThreadChildCalls>[] = [];
  const reasons: Error[] = [];
  const start = async (workerData?: string | SharedArrayBuffer, signal?: AbortSignal) => {
    const thread = await startThread<ThreadChildCalls>({
      name: 'test',
      beside: import.meta.url,
      module: 'thread-child',
      workerData,
      ...(signal !== undefined && { signal }),
      onExit: (reason) => void reasons.push(reason),
    });
    threads.push(thread);
    return thread;
  };
  afterEach(async () => {
    await Promise.allSettled(threads.map((thread) => thread.close()));
    threads = [];
    reasons.length = 0;
  });

  it('answers each call with its own result', async () => {
    const thread = await start();
    const answers = await Promise.all([1, 2, 3].map((number) => thread.call('double', number)));
    expect(answers).toEqual([2, 4, 6]);
  });

  it.runIf(process.platform === 'linux')('steps aside alone, the further the less it was asked for', async () => {
    const own = getPriority();
    const [asked, unasked, other] = [await start(), await start(), await start()];
    expect(await asked.call('stepAside', 'asked')).toBe(Math.max(own, 5));
    expect(await unasked.call('stepAside', 'unasked')).toBe(Math.max(own, 10));
    expect(await unasked.call('stepAside', 'asked')).toBe(Math.max(own, 10));
    expect(await other.call('double', 2)).toBe(4);
    expect(getPriority()).toBe(own);
  });

  it('rejects the call that threw, with its message and code, and goes on', async () => {
    const thread = await start();
    const refused = thread.call('refuse', { code: 'SQLITE_FULL' });
    await expect(refused).rejects.toMatchObject({ message: 'refused', code: 'SQLITE_FULL' });
    expect(await thread.call('double', 4)).toBe(8);
  });

  it('throws what the thread threw while starting', async () => {
    const started = start('fail');
    await expect(started).rejects.toThrow(new StartupError('The file is not ours.'));
    await expect(started).rejects.toBeInstanceOf(StartupError);
    expect(reasons).toEqual([]);
  });

  it.each([
    { call: 'crash' as const, reason: 'The test thread died: out of order' },
    { call: 'exit' as const, reason: 'The test thread ended unexpectedly with code 3.' },
  ])('rejects what is pending and tells its owner after $call', async ({ call, reason }) => {
    const thread = await start();
    const pending = expect(thread.call('hang', null)).rejects.toThrow(reason);
    await expect(thread.call(call, null)).rejects.toThrow(reason);
    await pending;
    await eventually('the owner was told', () => reasons.length === 1);
    expect(reasons[0]?.message).toBe(reason);
    await expect(thread.call('double', 1)).rejects.toThrow(reason);
    await thread.close();
  });

  it('closes twice, without telling its owner, and takes no call after', async () => {
    const thread = await start();
    const last = thread.call('double', 5);
    await Promise.all([thread.close(), thread.close()]);
    expect(await last).toBe(10);
    await thread.close();
    await expect(thread.call('double', 1)).rejects.toThrow('The test thread ended.');
    expect(reasons).toEqual([]);
  });

  it('says when closing failed', async () => {
    const thread = await start('fail-close');
    await expect(thread.close()).rejects.toThrow('cannot let go');
  });

  it('leaves when it is given up, though it serves before it hears of it', async () => {
    const told = new Int32Array(new SharedArrayBuffer(8));
    const unwanted = new AbortController();
    const started = expect(start(told.buffer, unwanted.signal)).rejects.toThrow('The test thread ended');
    await eventually('it starts', () => Atomics.load(told, 0) === 1);
    Atomics.store(told, 0, 2);
    Atomics.notify(told, 0);
    Atomics.wait(told, 0, 2); // it serves, and nobody here has heard of it
    unwanted.abort();
    await started;
    expect({ reasons, closed: Atomics.load(told, 1) }).toEqual({ reasons: [], closed: 1 });
  });

  describe('that is shared', () => {
    it('answers whoever joins it, each with its own results', async () => {
      const thread = await start();
      const joined = joinThread<ThreadChildCalls>('test', thread.share());
      const numbers = Array.from({ length: 20 }, (_, index) => index);
      const answers = await Promise.all(
        numbers.map((number) => (number % 2 === 0 ? thread : joined).call('double', number)),
      );
      expect(answers).toEqual(numbers.map((number) => 2 * number));
      const refused = joined.call('refuse', { code: 'SQLITE_FULL' });
      await expect(refused).rejects.toMatchObject({ message: 'refused', code: 'SQLITE_FULL' });
      await joined.close();
    });

    it('goes on when one who joined it leaves, and lets the calls of that one finish', async () => {
      const thread = await start();
      const joined = joinThread<ThreadChildCalls>('test', thread.share());
      const last = joined.call('double', 4);
      await joined.close();
      expect(await last).toBe(8);
      await expect(joined.call('double', 1)).rejects.toThrow('closed');
      expect(await thread.call('double', 5)).toBe(10);
    });

    it('rejects what those who joined it wait for when it dies', async () => {
      const thread = await start();
      const joined = joinThread<ThreadChildCalls>('test', thread.share());
      const pending = expect(joined.call('hang', null)).rejects.toThrow('The test thread ended.');
      await expect(thread.call('crash', null)).rejects.toThrow();
      await pending;
      await expect(joined.call('double', 1)).rejects.toThrow('The test thread ended.');
      await joined.close();
    });

    it('can be closed while somebody has joined it', async () => {
      const thread = await start();
      const joined = joinThread<ThreadChildCalls>('test', thread.share());
      expect(await joined.call('double', 1)).toBe(2);
      await thread.close();
      await eventually('it is told', async () => {
        const answer = await joined.call('double', 1).catch((error: Error) => error.message);
        return answer === 'The test thread ended.';
      });
      await joined.close();
    });
  });
});
