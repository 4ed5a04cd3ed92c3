import { expect, it } from 'vitest';
import { createHostTurns } from '../../src/ingest/host-turns.ts';
import { createFakeClock } from '../spec/fake-clock.ts';

const never = () => new Promise<never>(() => {});

it('lets so many at one host at once, and the next when one ends', async () => {
  const clock = createFakeClock();
  const turns = createHostTurns(clock, 2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const runs = [0, 1, 2].map((index) =>
    turns.run(`https://example.com/${index}`, clock.nowMs() + 1_000, () => {
      begun.push(index);
      return new Promise<void>((resolve) => ends.push(resolve));
    }),
  );
  expect(begun).toEqual([0, 1]);
  ends[1]!();
  await runs[1];
  await Promise.resolve();
  expect(begun).toEqual([0, 1, 2]);
  // Who comes later finds the host as it is, not as if nobody were there.
  const later = turns.run('https://example.com/later', clock.nowMs() + 1_000, async () => void begun.push(3));
  await Promise.resolve();
  expect(begun).toEqual([0, 1, 2]);
  for (const end of ends) end();
  await Promise.all([...runs, later]);
});

it('lets nobody wait for another host, however long that hangs', async () => {
  const clock = createFakeClock();
  const turns = createHostTurns(clock, 1);
  for (let index = 0; index < 100; index += 1) {
    turns.run('https://hung.example.com/', clock.nowMs() + 1e9, never).catch(() => {});
  }
  expect(await turns.run('https://example.com/', clock.nowMs() + 1_000, async () => 'done')).toBe('done');
  expect(await turns.run('https://example.com:8443/', clock.nowMs() + 1_000, async () => 'done')).toBe('done');
});

it('ends the waiting at the deadline, and does nothing then', async () => {
  const clock = createFakeClock();
  const turns = createHostTurns(clock, 1);
  turns.run('https://example.com/', clock.nowMs() + 1_000, never).catch(() => {});
  let isDone = false;
  const late = turns.run('https://example.com/', clock.nowMs() + 1_000, async () => {
    isDone = true;
  });
  clock.advance(1_000);
  await expect(late).rejects.toMatchObject({ name: 'FetchFailed', reason: 'limited', status: null });
  expect(isDone).toBe(false);
});

it('gives the turn of a failure back, and that failure to who asked', async () => {
  const clock = createFakeClock();
  const turns = createHostTurns(clock, 1);
  const run = (work: () => Promise<string>) => turns.run('https://example.com/', clock.nowMs() + 1_000, work);
  const failing = run(() => Promise.reject(new Error('no')));
  const next = run(async () => 'done');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('done');
});

it('bounds nothing where the limit is lifted', async () => {
  const clock = createFakeClock();
  const turns = createHostTurns(clock, 0);
  let begun = 0;
  for (let index = 0; index < 1_000; index += 1) {
    const run = turns.run('https://example.com/', clock.nowMs() + 1_000, () => {
      begun += 1;
      return never();
    });
    run.catch(() => {});
  }
  await Promise.resolve();
  expect(begun).toBe(1_000);
});
