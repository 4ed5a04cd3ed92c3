import { describe, expect, it } from 'vitest';
import { BackendUnavailable } from '../../src/kernel/backend-unavailable.ts';
import { createBatchedCalls, createBatchedFinds } from '../../src/concurrency/batched-calls.ts';

/** Calls that are answered when the test says so. */
function createCalls() {
  const calls: { readonly keys: readonly string[]; readonly end: (error?: Error) => void }[] = [];
  const ask = (keys: readonly string[]) =>
    new Promise<string[]>((resolve, reject) => {
      const end = (error?: Error) => (error ? reject(error) : resolve(keys.map((key) => `${key}!`)));
      calls.push({ keys, end });
    });
  return { calls, ask };
}

const aTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('gathered questions', () => {
  it('asks once for all that is asked in the same turn, and answers each with its own', async () => {
    const { calls, ask } = createCalls();
    const answerTo = createBatchedCalls(ask, 10);
    const answers = Promise.all(['a', 'b', 'a'].map(answerTo));
    await aTurn();
    expect(calls.map(({ keys }) => keys)).toEqual([['a', 'b', 'a']]);
    calls[0]!.end();
    expect(await answers).toEqual(['a!', 'b!', 'a!']);
  });

  it('answers nobody from a call that began before they asked', async () => {
    const { calls, ask } = createCalls();
    const answerTo = createBatchedCalls(ask, 10);
    const first = answerTo('a');
    await aTurn();
    const late = [answerTo('a'), answerTo('b')];
    calls[0]!.end();
    await first;
    await aTurn();
    expect(calls.map(({ keys }) => keys)).toEqual([['a'], ['a', 'b']]);
    calls[1]!.end();
    expect(await Promise.all(late)).toEqual(['a!', 'b!']);
  });

  it('asks for no more at once than it may', async () => {
    const { calls, ask } = createCalls();
    const answerTo = createBatchedCalls(ask, 2);
    const answers = Promise.all(['a', 'b', 'c'].map(answerTo));
    await aTurn();
    calls[0]!.end();
    await aTurn();
    calls[1]!.end();
    expect(await answers).toEqual(['a!', 'b!', 'c!']);
    expect(calls.map(({ keys }) => keys)).toEqual([['a', 'b'], ['c']]);
  });

  it('lets only the one fail that is at fault', async () => {
    const answerTo = createBatchedCalls(async (keys: readonly string[]) => {
      if (keys.includes('bad')) throw new Error('bad is broken');
      return keys;
    }, 10);
    const answers = await Promise.allSettled(['a', 'bad', 'b'].map(answerTo));
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await answerTo('c')).toBe('c');
  });

  it('tells all of an outage, without asking for each, and goes on when it is over', async () => {
    const { calls, ask } = createCalls();
    const answerTo = createBatchedCalls(ask, 10);
    const answers = Promise.allSettled(['a', 'b'].map(answerTo));
    await aTurn();
    calls[0]!.end(new BackendUnavailable('MongoDB'));
    const reasons = (await answers).map((answer) => answer.status === 'rejected' && answer.reason);
    expect(reasons).toEqual([expect.any(BackendUnavailable), expect.any(BackendUnavailable)]);
    expect(calls).toHaveLength(1);
    const next = answerTo('a');
    await aTurn();
    calls[1]!.end();
    expect(await next).toBe('a!');
  });
});

describe('gathered finds', () => {
  it('asks for each key once, and answers null for what was not found', async () => {
    const asked: (readonly string[])[] = [];
    const find = async (keys: readonly string[]) => {
      asked.push(keys);
      return [{ id: 'b' }, { id: 'a' }];
    };
    const found = createBatchedFinds(find, ({ id }) => id, 10);
    expect(await Promise.all(['a', 'x', 'b', 'a'].map(found))).toEqual([{ id: 'a' }, null, { id: 'b' }, { id: 'a' }]);
    expect(asked).toEqual([['a', 'x', 'b']]);
  });
});
