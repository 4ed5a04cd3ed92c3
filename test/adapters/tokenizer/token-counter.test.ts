import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTokenCounter } from '../../../src/adapters/tokenizer/token-counter.ts';
import type { TokenCounter } from '../../../src/ports/token-counter.ts';

describe('token counter', () => {
  let counter: TokenCounter;
  let fatal: Error[];
  /** Every thread of the test, the latest last. Node tells of each one it starts. */
  let workers: Worker[];
  const remember = (worker: Worker) => void workers.push(worker);

  beforeEach(async () => {
    workers = [];
    fatal = [];
    process.on('worker', remember);
    counter = createTokenCounter({ onFatal: (error) => void fatal.push(error) });
    expect(workers, 'threads before there is a text').toEqual([]);
    await counter.countMany(['hello']);
  });
  afterEach(async () => {
    process.off('worker', remember);
    await counter.close();
  });

  const killThread = async () => {
    await workers.at(-1)!.terminate();
  };

  it('answers with one count for each text, in order', async () => {
    expect(await counter.countMany(['Fixed a bug.', '', 'hello', '<|endoftext|>'])).toEqual([4, 0, 1, 7]);
    expect(await counter.countMany([])).toEqual([]);
  });

  it('keeps the order over many messages', async () => {
    const texts = Array.from({ length: 2500 }, (_, number) => ' hello'.repeat(number % 7));
    expect(await counter.countMany(texts)).toEqual(texts.map((text) => text.length / ' hello'.length));
  });

  it('serves calls side by side', async () => {
    const counts = await Promise.all([['a'], ['a', 'b'], []].map((texts) => counter.countMany(texts)));
    expect(counts).toEqual([[1], [1, 1], []]);
    expect(workers).toHaveLength(1);
  });

  it('refuses the counts in hand when the thread dies, and counts on in another one', async () => {
    const inHand = expect(counter.countMany(['a'.repeat(1_000_000)])).rejects.toThrow('ended unexpectedly');
    await killThread();
    await inHand;
    expect(await Promise.all([counter.countMany(['hello']), counter.countMany(['world'])])).toEqual([[1], [1]]);
    expect(workers).toHaveLength(2);
    expect(fatal).toEqual([]);
  });

  it('is given up when the thread dies again and again', async () => {
    for (let restarts = 0; restarts < 3; restarts += 1) {
      await killThread();
      expect(await counter.countMany(['hello'])).toEqual([1]);
    }
    await killThread();
    await expect(counter.countMany(['hello'])).rejects.toThrow('more than 3 times in a minute');
    await expect(counter.countMany(['hello'])).rejects.toThrow('more than 3 times in a minute');
    expect(fatal).toHaveLength(1);
  });

  it('finishes the counts in hand when it is closed, and takes no more', async () => {
    const inHand = counter.countMany(Array.from({ length: 2500 }, () => 'hello'));
    await Promise.all([counter.close(), counter.close()]);
    expect(await inHand).toHaveLength(2500);
    await expect(counter.countMany(['hello'])).rejects.toThrow('closed');
  });
});
