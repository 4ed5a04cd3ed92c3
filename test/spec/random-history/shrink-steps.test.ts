import { expect, it } from 'vitest';
import { shrinkSteps } from './shrink-steps.ts';

const hundred = Array.from({ length: 100 }, (_, index) => index + 1);

it('leaves only the steps that a failure is about', async () => {
  const needed = [3, 40, 41, 97];
  const fails = async (steps: readonly number[]) => needed.every((step) => steps.includes(step));
  expect(await shrinkSteps(hundred, fails, 1_000)).toEqual(needed);
});

it('ends after so many tries, with steps that fail', async () => {
  let tries = 0;
  const fails = async (steps: readonly number[]) => {
    tries += 1;
    return steps.includes(7) && steps.includes(93);
  };
  const kept = await shrinkSteps(hundred, fails, 5);
  expect(tries).toBe(5);
  expect(kept).toEqual(expect.arrayContaining([7, 93]));
});
