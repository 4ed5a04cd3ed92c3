import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allProjections } from '../../../projections/all-projections.ts';
import { createEmbeddedReadModels } from '../../../src/adapters/embedded/read-models/read-models.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { BackendUnavailable } from '../../../src/kernel/backend-unavailable.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import type { ReadModels } from '../../../src/ports/read-models.ts';
import { createLiveReadModels } from '../../../src/runtime/projector/live-read-models.ts';
import { retryThroughOutages } from '../../../src/runtime/resilience/retry-through-outages.ts';
import { startProjectionRunner } from '../../../src/runtime/projector/projection-runner.ts';
import { whenReachable } from '../../../src/runtime/resilience/when-reachable.ts';
import { createTestRunners, openTestEventStore } from '../../spec/worlds/embedded-registry.ts';
import { eventually } from '../../spec/eventually.ts';
import { createFakeClock } from '../../spec/fake-clock.ts';
import { fillHere } from '../../spec/fill-here.ts';
import { hurriedClock } from '../../spec/hurried-clock.ts';
import { createKeptLog } from '../../spec/kept-log.ts';
import { createOutage } from '../../spec/servers/outage.ts';
import { buildSmallWorld } from '../../spec/worlds/small-world.ts';
import { createTempFolder, type TempFolder } from '../../spec/temp-folder.ts';

const away = () => Promise.reject(new BackendUnavailable('MongoDB'));

describe('whenReachable', () => {
  it('tries until it succeeds and says that it waits', async () => {
    let tries = 0;
    const waits: string[] = [];
    const attempt = async () => ((tries += 1) < 4 ? away() : tries);
    const onWait = (error: Error) => void waits.push(error.message);
    expect(await whenReachable(attempt, { clock: hurriedClock(1), waitMs: 60_000, onWait })).toBe(4);
    expect(waits).toEqual(Array.from({ length: 3 }, () => 'MongoDB cannot be reached'));
  });

  it('gives up when the time is over', async () => {
    await expect(whenReachable(away, { clock: createFakeClock(), waitMs: 0 })).rejects.toThrow(BackendUnavailable);
    const clock = createFakeClock();
    const waiting = whenReachable(away, {
      clock,
      waitMs: 1_200,
      onWait: () => void process.nextTick(clock.advance, 600),
    });
    await expect(waiting).rejects.toThrow(BackendUnavailable);
    expect(clock.nowMs()).toBeGreaterThanOrEqual(createFakeClock().nowMs() + 1_200);
  });

  it('does not try again after any other failure', async () => {
    let tries = 0;
    const attempt = async () => {
      tries += 1;
      throw new TypeError('a mistake');
    };
    await expect(whenReachable(attempt, { clock: hurriedClock(1), waitMs: 60_000 })).rejects.toThrow('a mistake');
    expect(tries).toBe(1);
  });
});

describe('retryThroughOutages', () => {
  it('goes on after an outage and tells of its beginning and its end once', async () => {
    const log = createKeptLog();
    const stop = new AbortController();
    let rounds = 0;
    await retryThroughOutages({ clock: hurriedClock(1), log, what: 'the work' }, stop.signal, async (reached) => {
      rounds += 1;
      if (rounds > 1 && rounds < 6) return away();
      reached();
      if (rounds === 8) stop.abort();
    });
    expect(log.lines).toEqual([
      { level: 'warn', sentence: 'the work waits: MongoDB cannot be reached' },
      { level: 'info', sentence: 'the work goes on' },
    ]);
  });

  it('ends with any other failure', async () => {
    const work = retryThroughOutages(
      { clock: hurriedClock(1), log: createKeptLog(), what: 'the work' },
      new AbortController().signal,
      () => Promise.reject(new TypeError('a mistake')),
    );
    await expect(work).rejects.toThrow('a mistake');
  });
});

describe('projecting', () => {
  let folder: TempFolder;
  let store: EventStore;
  let readModels: ReadModels;

  beforeEach(async () => {
    folder = createTempFolder();
    store = await openTestEventStore(folder.path);
    readModels = await createEmbeddedReadModels({ folder: folder.path, clock: systemClock });
  });

  afterEach(async () => {
    await readModels.close();
    await store.close();
    folder.remove();
  });

  it.each(['before anything is filled', 'in the middle'])('outlasts read models that are away %s', async (when) => {
    const log = createKeptLog();
    const outage = createOutage('MongoDB');
    const live = createLiveReadModels(readModels, allProjections, systemClock);
    const runners = createTestRunners(store, systemClock);
    const deps = { store, projections: allProjections, clock: hurriedClock(), log, holder: 'test', leaseTtlMs: 1_500 };
    if (when === 'before anything is filled') outage.begin();
    const away = outage.over(readModels);
    const runner = startProjectionRunner({
      ...deps,
      readModels: away,
      fillApart: fillHere({ ...deps, readModels: away }),
    });
    if (when === 'in the middle') {
      const before = await buildSmallWorld(runners, 'Before', 1);
      expect(await live.waitFor(allProjections, before.position, 10_000)).toBe(true);
      outage.begin();
    }
    const { position } = await buildSmallWorld(runners, 'During', 1_000);
    const metBefore = outage.met();
    await eventually('it has tried again and again', () => outage.met() > metBefore + 5);
    expect(await live.waitFor(allProjections, position, 0)).toBe(false);
    outage.end();
    expect(await live.waitFor(allProjections, position, 10_000)).toBe(true);
    await runner.close();
    await runner.done;
    expect(runner.failures()).toEqual([]);
    expect(log.lines.filter(({ sentence }) => sentence === 'projecting waits: MongoDB cannot be reached')).toHaveLength(
      1,
    );
    expect(log.lines.filter(({ sentence }) => sentence === 'projecting goes on')).toHaveLength(1);
  });
});
