import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BackendUnavailable } from '../../../src/kernel/backend-unavailable.ts';
import { createScrubLater, type ScrubLater, type Unscrubbed } from '../../../src/runtime/jobs/scrub-later.ts';
import { LeaseLost } from '../../../src/runtime/resilience/held-leases.ts';
import { createFakeClock, type FakeClock } from '../../spec/fake-clock.ts';
import { createKeptLog } from '../../spec/kept-log.ts';

const erased = (position: number, isAwaited = false): Unscrubbed => ({
  erasedTo: position,
  searchedTo: position,
  position,
  isAwaited,
});

/** Lets what was begun come to where it waits. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('scrubbing later', () => {
  let clock: FakeClock;
  let stopping: AbortController;
  let scrubbedTo: number[];
  let whileScrubbing: () => Promise<void>;
  let later: ScrubLater;
  let log: ReturnType<typeof createKeptLog>;
  let kept: Promise<void>;

  const look = async () => {
    clock.advance(250);
    await settle();
  };
  const addAndSettle = async (unscrubbed: Unscrubbed) => {
    later.add(unscrubbed);
    await settle();
  };

  beforeEach(async () => {
    clock = createFakeClock();
    stopping = new AbortController();
    scrubbedTo = [];
    whileScrubbing = async () => {};
    log = createKeptLog();
    later = createScrubLater({ clock, log }, async ({ position }) => {
      scrubbedTo.push(position);
      await whileScrubbing();
    });
    kept = later.keep(stopping.signal);
    await settle();
  });
  afterEach(async () => {
    stopping.abort();
    await kept;
  });

  it('scrubs at once what somebody waits for, and all that waits with it', async () => {
    await addAndSettle(erased(1));
    await addAndSettle(erased(2, true));
    expect(scrubbedTo).toEqual([2]);
    expect(later.isIdle()).toBe(true);
  });

  it('tries again what failed, with what came meanwhile, and tells it once', async () => {
    let failure: Error | null = new BackendUnavailable('OpenSearch');
    whileScrubbing = async () => {
      if (failure !== null) throw failure;
    };
    await addAndSettle(erased(1, true));
    await addAndSettle(erased(2));
    for (let tries = 0; tries < 8; tries += 1) await look();
    expect(scrubbedTo.length).toBeGreaterThan(1);
    expect(later.isIdle()).toBe(false);
    failure = null;
    for (let looks = 0; looks < 4; looks += 1) await look();
    expect([scrubbedTo.at(-1), later.isIdle()]).toEqual([2, true]);
    expect(log.lines.map(({ level }) => level)).toEqual(['warn', 'info']);
  });

  it('scrubs what a purge erases once, when no more has come for a while', async () => {
    for (let position = 1; position <= 20; position += 1) {
      await addAndSettle(erased(position));
      await look();
    }
    expect(scrubbedTo).toEqual([]);
    expect(later.isIdle()).toBe(false);
    for (let looks = 0; looks < 4; looks += 1) await look();
    expect(scrubbedTo).toEqual([20]);
  });

  it('does not put it off for ever while more and more comes', async () => {
    for (let position = 1; position <= 60; position += 1) {
      await addAndSettle(erased(position));
      await look();
    }
    expect(scrubbedTo).toHaveLength(2);
  });

  it('scrubs once more for what came while it scrubbed, however often that was', async () => {
    let end = () => {};
    whileScrubbing = () =>
      new Promise((resolve) => {
        end = resolve;
      });
    await addAndSettle(erased(1, true));
    await addAndSettle(erased(2, true));
    await addAndSettle(erased(3, true));
    expect(later.isIdle()).toBe(false);
    end();
    await settle();
    expect(scrubbedTo).toEqual([1, 3]);
    end();
    await settle();
    expect(later.isIdle()).toBe(true);
  });

  it('ends when another process erases', async () => {
    whileScrubbing = () => Promise.reject(new LeaseLost('erasing'));
    const failed = expect(kept).rejects.toThrow(LeaseLost);
    await addAndSettle(erased(1, true));
    await failed;
    kept = Promise.resolve();
  });
});
