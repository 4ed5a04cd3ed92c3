import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmbeddedEventStore } from '../../../../src/adapters/embedded/event-store/event-store.ts';
import { createEventCodec } from '../../../../src/kernel/event-codec.ts';
import type { EventStore } from '../../../../src/ports/event-store.ts';
import { newEvent } from '../../../spec/events/events.ts';
import { createTempFolder, type TempFolder } from '../../../spec/temp-folder.ts';

/** `SECRET-17.` stands wherever the text of event 17 stands. */
const markPattern = /SECRET-\d+\./g;

describe('truncated text', () => {
  let folder: TempFolder;
  let store: EventStore;
  beforeEach(async () => {
    folder = createTempFolder();
    const onFatal = (error: Error) => {
      throw error;
    };
    store = await createEmbeddedEventStore({ folder: folder.path, codec: createEventCodec(), onFatal });
  });
  afterEach(async () => {
    await store.close();
    folder.remove();
  });

  const marksOnDisk = (): Set<string> => {
    const texts = readdirSync(folder.path).map((name) => readFileSync(join(folder.path, name), 'latin1'));
    return new Set(texts.flatMap((text) => text.match(markPattern) ?? []));
  };
  const marked = (number: number, chars: number) => {
    const mark = `SECRET-${number}.`;
    return newEvent('ThingHappened.v1', { text: mark.repeat(1 + Math.floor(chars / mark.length)) });
  };

  it('is in no file of the folder as soon as the truncation is done', async () => {
    await store.append({ stream: 'release-a', expectedVersion: 0, events: [marked(1, 300), marked(2, 200_000)] });
    await store.append({ stream: 'release-a', expectedVersion: 2, events: [marked(3, 300)] });
    expect([...marksOnDisk()].sort()).toEqual(['SECRET-1.', 'SECRET-2.', 'SECRET-3.']);
    await store.truncate('release-a', 3);
    expect([...marksOnDisk()]).toEqual(['SECRET-3.']);
  });

  // Rows that are deleted in such an order leave copies of their neighbours behind, which later deletes do not reach.
  it.each([1, 2])('is in no file after any order of appends and truncations (seed %i)', async (seed) => {
    const random = xoroshiro128plus(seed);
    const upTo = (most: number) => uniformInt(random, 0, most);
    const live = new Map<string, string>();
    let number = 0;
    for (let round = 0; round < 60; round++) {
      const appends = Array.from({ length: 40 }, () => {
        number += 1;
        const chars = upTo(99) === 0 ? upTo(60_000) : upTo(1_200);
        live.set(`release-${number}`, `SECRET-${number}.`);
        return { stream: `release-${number}`, expectedVersion: 0, events: [marked(number, chars)] };
      });
      await store.appendMany(appends);
      const names = [...live.keys()];
      const erased = new Set(Array.from({ length: upTo(60) }, () => names[upTo(names.length - 1)] as string));
      if (erased.size === 0) continue;
      await Promise.all([...erased].map((stream) => store.truncate(stream, 2)));
      for (const stream of erased) live.delete(stream);
      expect(marksOnDisk()).toEqual(new Set(live.values()));
    }
  });
});
