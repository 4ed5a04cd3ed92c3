import { expect, it } from 'vitest';
import { createTurns } from '../../src/concurrency/turns.ts';
import { createFakeClock } from '../spec/fake-clock.ts';

/** Work that ends when it is told to. */
const createWork = (name: string, log: string[]) => {
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const run = async () => {
    log.push(name);
    await ended;
    return name;
  };
  return { run, end };
};

it('lets so many work at once, and the others in the order in which they came', async () => {
  const turns = createTurns(createFakeClock(), 2);
  const log: string[] = [];
  const works = ['a', 'b', 'c', 'd'].map((name) => createWork(name, log));
  const results = works.map(({ run }) => turns.run(1_000, run));
  expect(log).toEqual(['a', 'b']);
  works[1]?.end();
  expect(await results[1]).toBe('b');
  works[0]?.end();
  await results[0];
  for (const { end } of works) end();
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd']);
  expect(log).toEqual(['a', 'b', 'c', 'd']);
});

it('waits no longer than it is told, and does nothing then', async () => {
  const clock = createFakeClock();
  const turns = createTurns(clock, 1);
  const log: string[] = [];
  const [long, late, next] = ['long', 'late', 'next'].map((name) => createWork(name, log));
  const first = turns.run(1_000, long!.run);
  const second = turns.run(1_000, late!.run);
  clock.advance(1_000);
  expect(await second).toBeNull();
  long!.end();
  await first;
  next!.end();
  expect(await turns.run(1_000, next!.run)).toBe('next');
  expect(log).toEqual(['long', 'next']);
});

it('gives the turn of a failure to the next one', async () => {
  const clock = createFakeClock();
  const turns = createTurns(clock, 1);
  const failing = turns.run(1_000, () => Promise.reject(new Error('no')));
  const next = turns.run(1_000, async () => 'done');
  await expect(failing).rejects.toThrow('no');
  clock.advance(1_000); // it does not wait any more
  expect(await next).toBe('done');
});
