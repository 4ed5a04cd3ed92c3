import { beforeEach, describe, expect, it } from 'vitest';
import { BackendUnavailable } from '../../../src/kernel/backend-unavailable.ts';
import { createDropNotice } from '../../../src/runtime/deliverer/drop-notice.ts';
import { createWaits, type Waits } from '../../../src/runtime/deliverer/waits.ts';
import { eventually } from '../../spec/eventually.ts';
import { createFakeClock, type FakeClock } from '../../spec/fake-clock.ts';
import { createKeptLog } from '../../spec/kept-log.ts';

let clock: FakeClock;
let log: ReturnType<typeof createKeptLog>;
let stopping: AbortController;
let losing: AbortController;
let waits: Waits;

beforeEach(() => {
  clock = createFakeClock();
  log = createKeptLog();
  stopping = new AbortController();
  losing = new AbortController();
  waits = createWaits({ clock, log, stopping: stopping.signal });
});

const away = () => Promise.reject(new BackendUnavailable('MongoDB'));

describe('waiting for a time', () => {
  it('ends when it has come, at once when it is past', async () => {
    await waits.until(clock.nowMs(), losing.signal);
    const waited = waits.until(clock.nowMs() + 1_000, losing.signal);
    clock.advance(1_000);
    await waited;
  });

  it.each(['lost', 'stopping'] as const)('throws when it is cut off: %s', async (why) => {
    const waited = waits.until(clock.nowMs() + 1_000, losing.signal);
    (why === 'lost' ? losing : stopping).abort();
    await expect(waited).rejects.toThrow('given back');
    await expect(waits.until(clock.nowMs() + 1_000, losing.signal)).rejects.toThrow('given back');
  });
});

describe('waiting for a back end', () => {
  it('goes on when it is back, and tells of it once however many wait', async () => {
    let isAway = true;
    let calls = 0;
    const call = async () => {
      calls += 1;
      return isAway ? away() : 'done';
    };
    const answers: string[] = [];
    for (let waiting = 0; waiting < 3; waiting += 1) {
      void waits.reach(call, losing.signal).then((answer) => answers.push(answer));
    }
    const timePasses = (until: () => boolean) => () => {
      clock.advance(1_000);
      return until();
    };
    await eventually(
      'they have tried often',
      timePasses(() => calls > 30),
    );
    expect(answers).toEqual([]);
    isAway = false;
    await eventually(
      'all go on',
      timePasses(() => answers.length === 3),
    );
    expect(log.lines.map(({ level }) => level)).toEqual(['warn', 'info']);
  });

  it.each(['lost', 'stopping'] as const)('throws when it is cut off: %s', async (why) => {
    const waited = waits.reach(away, losing.signal);
    (why === 'lost' ? losing : stopping).abort();
    await expect(waited).rejects.toThrow(BackendUnavailable);
  });

  it('does not wait when something else fails', async () => {
    await expect(waits.reach(() => Promise.reject(new Error('broken')), losing.signal)).rejects.toThrow('broken');
  });
});

it('warns once of an outage of the bus, and again of the next', () => {
  const onDrop = createDropNotice({ clock, log });
  for (let second = 0; second < 300; second += 1) {
    onDrop(new Error('away'));
    clock.advance(1_000);
  }
  expect(log.lines).toHaveLength(1);
  clock.advance(60_000);
  onDrop(new Error('away'));
  expect(log.lines).toHaveLength(2);
});
