import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NewEvent } from '../../../src/kernel/event.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import { copyEvents } from '../../../src/runtime/copying/copy-events.ts';
import { digestLog } from '../../../src/runtime/copying/verify-copy.ts';
import { everyEvent } from '../../contract/event-store/every-event.ts';
import { newEvent, newEvents } from '../../spec/events/events.ts';
import { openInThreadEventStore } from '../../spec/in-thread-event-store.ts';
import { createTempFolder, type TempFolder } from '../../spec/temp-folder.ts';

let folders: TempFolder[];
let stores: EventStore[];

beforeEach(() => {
  [folders, stores] = [[], []];
});

afterEach(async () => {
  for (const store of stores) await store.close();
  for (const folder of folders) folder.remove();
});

const open = (): EventStore => {
  const folder = createTempFolder();
  const store = openInThreadEventStore(folder.path);
  folders.push(folder);
  stores.push(store);
  return store;
};

const copy = (source: EventStore, target: EventStore) => copyEvents({ source, target, onProgress: () => {} });
const digest = (store: EventStore) => digestLog(store, () => {});

const append = async (store: EventStore, stream: string, expectedVersion: number, events: readonly NewEvent[]) => {
  const outcome = await store.append({ stream, expectedVersion, events });
  expect(outcome).toMatchObject({ outcome: 'appended' });
};

/** Streams side by side, one of them truncated in the middle, so that its numbers and all positions have gaps. */
const filled = async (): Promise<EventStore> => {
  const store = open();
  await append(store, 'org-a', 0, newEvents(3));
  await append(store, 'release-a', 0, newEvents(6));
  await append(store, 'org-a', 3, newEvents(250));
  await store.truncate('release-a', 5);
  await append(store, 'release-a', 6, newEvents(2));
  for (let index = 0; index < 20; index += 1) await append(store, `release-${index}`, 0, newEvents(2));
  await append(store, 'body-a', 0, [newEvent('BodyPartStored.v1', { text: 'ä'.repeat(200_000) })]);
  await append(store, 'body-a', 1, [newEvent('BodyPartStored.v1', { text: 'b'.repeat(400_000) })]);
  return store;
};

/** Fails for good after so many appends, as a process that is killed. */
const failingAfter = (store: EventStore, appends: number): EventStore => {
  let left = appends;
  return {
    ...store,
    append: async (one) => {
      left -= 1;
      if (left < 0) throw new Error('killed');
      return store.append(one);
    },
  };
};

describe('copyEvents', () => {
  it('gives the same log: ids, order, times and public sequence numbers', async () => {
    const [source, target] = [await filled(), open()];
    const events = await everyEvent(source);
    expect(await copy(source, target)).toBe(events.length);
    const copied = await everyEvent(target);
    expect(copied.map(({ id, metadata }) => [id, metadata.seq])).toEqual(
      events.map(({ id, position }) => [id, position]),
    );
    expect(await digest(target)).toEqual(await digest(source));
    expect(await copy(source, target)).toBe(0);
  });

  it('keeps the sequence numbers of the first store through a second copy that is killed at every append', async () => {
    const [first, second, third] = [await filled(), open(), open()];
    await copy(first, second);
    const total = (await everyEvent(second)).length;
    let copied = 0;
    for (let kills = 0; kills < 60 && copied < total; kills += 1) {
      await copy(second, failingAfter(third, 1 + (kills % 3))).catch((error: Error) => {
        expect(error.message).toBe('killed');
      });
      copied = (await everyEvent(third)).length;
    }
    await copy(second, third);
    expect(await digest(third)).toEqual(await digest(first));
  });

  it('refuses a store that was written to since, and one of another registry', async () => {
    const [source, target, other] = [await filled(), open(), open()];
    await copy(source, target);
    await append(target, 'org-later', 0, newEvents(1));
    await expect(copy(source, target)).rejects.toThrow(/was written to since it was copied/);
    await append(other, 'registry', 0, newEvents(1));
    await expect(copy(source, other)).rejects.toThrow(/do not come from this registry/);
  });

  it('is told by its digest when a single value differs', async () => {
    const [source, target] = [open(), open()];
    const event = newEvent('ThingHappened.v1', { number: 1 });
    await append(source, 'org-a', 0, [event]);
    await append(target, 'org-a', 0, [{ ...event, data: { number: 2 } }]);
    const [from, to] = [await digest(source), await digest(target)];
    expect(from.events).toBe(to.events);
    expect(from.sha256).not.toBe(to.sha256);
  });
});
