import { expect, it } from 'vitest';
import { createJoinedTurns } from '../../src/concurrency/joined-turns.ts';
import { createFakeClock } from '../spec/fake-clock.ts';

/** Turns for one at a time, with a first one that works until it is told to end. */
const openTurns = () => {
  const clock = createFakeClock();
  const turns = createJoinedTurns(clock, 1);
  const log: string[] = [];
  const work = (name: string) => async () => {
    log.push(name);
    return name;
  };
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const first = turns.run('held', 1_000, () => ended.then(() => 'first'));
  return { clock, turns, log, work, first, end };
};

it('answers those who wait with the same question by one work, that of the last, in the place of the first', async () => {
  const { turns, log, work, first, end } = openTurns();
  const answers = [
    turns.run('same', 1_000, work('early')),
    turns.run('other', 1_000, work('other')),
    turns.run('same', 1_000, work('late')),
  ];
  expect(log).toEqual([]);
  end();
  expect(await Promise.all([first, ...answers])).toEqual(['first', 'late', 'other', 'late']);
  expect(log).toEqual(['late', 'other']);
});

it('does not answer anybody by a work that had begun before', async () => {
  const { turns, work, first, end } = openTurns();
  const again = turns.run('held', 1_000, work('again'));
  end();
  expect([await first, await again]).toEqual(['first', 'again']);
});

it('lets each wait no longer than it is told, and keeps the place for those who still do', async () => {
  const { clock, turns, log, work, end } = openTurns();
  const early = turns.run('same', 1_000, work('early'));
  clock.advance(500);
  const between = turns.run('other', 1_000, work('other'));
  const late = turns.run('same', 1_000, work('late'));
  clock.advance(500);
  expect(await early).toBeNull();
  end();
  expect(await between).toBe('other');
  expect(log).toEqual(['late', 'other']); // first: a place that is lost would be waited for without end
  expect(await late).toBe('late');
});

it('does nothing for those who have all gone, and lets the next one begin', async () => {
  const { clock, turns, log, work, first, end } = openTurns();
  const gone = [turns.run('same', 1_000, work('early')), turns.run('same', 1_000, work('late'))];
  clock.advance(1_000);
  expect(await Promise.all(gone)).toEqual([null, null]);
  end();
  await first;
  expect(await turns.run('same', 1_000, work('next'))).toBe('next');
  expect(log).toEqual(['next']);
});

it('tells a failure to all who waited for it, and gives the turn to the next one', async () => {
  const { turns, work, end } = openTurns();
  const failing = () => Promise.reject(new Error('no'));
  const failed = [turns.run('same', 1_000, failing), turns.run('same', 1_000, failing)];
  const next = turns.run('other', 1_000, work('next'));
  end();
  for (const each of failed) await expect(each).rejects.toThrow('no');
  expect(await next).toBe('next');
});
