import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { readInTime } from '../../src/compose/metrics/read-in-time.ts';
import type { Sample } from '../../src/ports/metrics.ts';
import { createFakeClock } from '../spec/fake-clock.ts';
import { createKeptLog } from '../spec/kept-log.ts';

/** What came of it by now; undefined while it is waited for. */
async function soFar(reading: Promise<readonly Sample[]>): Promise<readonly Sample[] | undefined> {
  let samples: readonly Sample[] | undefined;
  void reading.then((read) => {
    samples = read;
  });
  await nextTurn();
  return samples;
}

it('gives up what is not read in time, and says so', async () => {
  const clock = createFakeClock();
  const log = createKeptLog();
  const reading = readInTime({ clock, log })('lag', () => new Promise(() => {}))();
  clock.advance(2_999);
  expect(await soFar(reading)).toBeUndefined();
  clock.advance(1);
  expect(await soFar(reading)).toEqual([]);
  expect(log.lines).toEqual([{ level: 'warn', sentence: 'a metric could not be read' }]);
});

it('does not wait for its time when it was read', async () => {
  const log = createKeptLog();
  const read = readInTime({ clock: createFakeClock(), log })('lag', async () => [{ labels: {}, value: 1 }]);
  expect(await soFar(read())).toEqual([{ labels: {}, value: 1 }]);
  expect(log.lines).toEqual([]);
});
