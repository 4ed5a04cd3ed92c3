import { expect, it } from 'vitest';
import { createMadeOnce } from '../../src/concurrency/made-once.ts';

it('makes it for all who ask, and not before', async () => {
  let times = 0;
  const get = createMadeOnce(async () => (times += 1));
  expect(times).toBe(0);
  expect(await Promise.all([get(), get()])).toEqual([1, 1]);
  expect(await get()).toBe(1);
});

it('tells those who wait that it failed, and tries again for the next one', async () => {
  let times = 0;
  const get = createMadeOnce(async () => {
    times += 1;
    if (times === 1) throw new Error('away');
    return times;
  });
  const [first, second] = [get(), get()];
  await expect(first).rejects.toThrow('away');
  await expect(second).rejects.toThrow('away');
  expect(await get()).toBe(2);
});
