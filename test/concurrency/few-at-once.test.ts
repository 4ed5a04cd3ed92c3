import { describe, expect, it } from 'vitest';
import { fewAtOnce } from '../../src/concurrency/few-at-once.ts';

const gates = () => {
  const open = new Map<number, { readonly end: () => void; readonly fail: (error: Error) => void }>();
  const work = (item: number): Promise<void> =>
    new Promise((resolve, reject) => open.set(item, { end: resolve, fail: reject }));
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { open, work, turn };
};

describe('a few at once', () => {
  it('does all of them, never more at once than said', async () => {
    const { open, work, turn } = gates();
    const doing = fewAtOnce([1, 2, 3], 2, work);
    await turn();
    expect([...open.keys()]).toEqual([1, 2]);
    open.get(1)!.end();
    await turn();
    expect([...open.keys()]).toEqual([1, 2, 3]);
    open.get(2)!.end();
    open.get(3)!.end();
    await doing;
  });

  it('begins none after a failure, and tells it only when the others are over', async () => {
    const { open, work, turn } = gates();
    let told: unknown = null;
    const doing = fewAtOnce([1, 2, 3], 2, work).catch((error: unknown) => {
      told = error;
    });
    await turn();
    const failure = new Error('the first one');
    open.get(1)!.fail(failure);
    await turn();
    expect([[...open.keys()], told]).toEqual([[1, 2], null]);
    open.get(2)!.end();
    await doing;
    expect([[...open.keys()], told]).toEqual([[1, 2], failure]);
  });
});
