import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createScrubLater, type ScrubLater, type Unscrubbed } from '../../../src/runtime/jobs/scrub-later.ts';
import { createFakeClock, type FakeClock } from '../../spec/fake-clock.ts';

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
    later = createScrubLater(clock, async ({ position }) => {
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

  it('scrubs what a purge erases once, when no more has come for a while', async () => {
    for (let position = 1; position <= 30; position += 1) {
      await addAndSettle(erased(position));
      await look();
    }
    expect(scrubbedTo).toEqual([]);
    expect(later.isIdle()).toBe(false);
    for (let looks = 0; looks < 4; looks += 1) await look();
    expect(scrubbedTo).toEqual([30]);
  });

  it('does not put it off for ever while more and more comes', async () => {
    for (let position = 1; position <= 200; position += 1) {
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

  it('fails with what it could not scrub', async () => {
    whileScrubbing = () => Promise.reject(new Error('a reader keeps the log'));
    const failed = expect(kept).rejects.toThrow('a reader keeps the log');
    await addAndSettle(erased(1, true));
    await failed;
    kept = Promise.resolve();
  });
});
