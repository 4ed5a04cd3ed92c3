import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmbeddedSearchIndexes } from '../../../src/adapters/embedded/search-index/search-indexes.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import type { SearchIndexes } from '../../../src/ports/search-index.ts';
import { createScrubSearch } from '../../../src/runtime/searching/scrub-search.ts';
import { eventually } from '../../spec/eventually.ts';
import { createFakeClock } from '../../spec/fake-clock.ts';
import { documentOf, openIndex, type OpenedIndex, putOf } from '../../spec/search-index/harness.ts';
import { createTempFolder, type TempFolder } from '../../spec/temp-folder.ts';

describe('scrubbing after erasures', () => {
  let folder: TempFolder;
  let indexes: SearchIndexes;
  let live: OpenedIndex;
  /** The generations that were scrubbed, in turn, and how long the pauses before were. */
  let scrubs: number[];
  let pausesMs: number[];
  let scrubMs: number;
  let looks: number;
  let whileScrubbing: () => Promise<void>;
  let scrub: (position: number) => Promise<void>;

  beforeEach(async () => {
    folder = createTempFolder();
    indexes = await createEmbeddedSearchIndexes({ folder: folder.path, clock: systemClock });
    live = await openIndex(indexes, 1);
    await indexes.switchPointer(null, 1);
    await live.write(5, putOf('release', 5, documentOf('one')));
    [scrubs, pausesMs, scrubMs, looks] = [[], [], 2_000, 0];
    whileScrubbing = async () => {};
    const fake = createFakeClock();
    const clock = {
      nowMs: fake.nowMs,
      sleep: async (ms: number) => {
        pausesMs.push(ms);
        fake.advance(ms);
      },
    };
    const watched: SearchIndexes = {
      ...indexes,
      open: async (generation) => {
        const index = await indexes.open(generation);
        const scrubIndex = async () => {
          scrubs.push(generation);
          fake.advance(scrubMs);
          await whileScrubbing();
          await index.scrub();
        };
        const checkpoint = async () => {
          const position = await index.checkpoint();
          looks += 1;
          return position;
        };
        return { ...index, scrub: scrubIndex, checkpoint };
      },
    };
    scrub = createScrubSearch({ openIndexes: async () => watched, clock });
  });
  afterEach(async () => {
    await indexes.close();
    folder.remove();
  });

  it('is done once for all that come while it runs, and never for one that came before them', async () => {
    const later: Promise<void>[] = [];
    whileScrubbing = async () => {
      if (scrubs.length > 1) return;
      later.push(scrub(3), scrub(4), scrub(5));
      await eventually('all have come', () => looks === 4);
    };
    await scrub(2);
    expect(later).toHaveLength(3);
    await Promise.all(later);
    expect(scrubs).toEqual([1, 1]);
  });

  it('is begun again after a pause as long as it took, and no longer than three seconds', async () => {
    await scrub(1);
    expect(pausesMs).toEqual([]);
    await scrub(2);
    expect(pausesMs).toEqual([2_000]);
    scrubMs = 60_000;
    await scrub(3);
    await scrub(4);
    expect(pausesMs).toEqual([2_000, 2_000, 3_000]);
  });

  it('looks after an index that was switched to meanwhile, and waits until that has passed the erasure', async () => {
    const next = await openIndex(indexes, 2);
    await next.write(3);
    let later: Promise<unknown> | undefined;
    whileScrubbing = async () => {
      if (later !== undefined) return;
      later = scrub(5).catch((error: Error) => error.message);
      await eventually('it has seen that the live one has passed it', () => looks === 2);
      await indexes.switchPointer(1, 2);
    };
    await scrub(2);
    expect(await later).toBe('the search index has not passed an erasure');
    await next.write(5);
    await scrub(5);
    expect(scrubs).toEqual([1, 2, 2]);
  });
});
