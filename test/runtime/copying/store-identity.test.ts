import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { systemIds } from '../../../src/adapters/system/ids.ts';
import { StartupError } from '../../../src/kernel/startup-error.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import {
  checkCheckpoint,
  checkIdentity,
  foundOrReadIdentity,
  type IdentifiedStore,
} from '../../../src/runtime/copying/store-identity.ts';
import { commandIdOf } from '../../spec/worlds/embedded-registry.ts';
import { newEvent } from '../../spec/events/events.ts';
import { openInThreadEventStore } from '../../spec/in-thread-event-store.ts';
import { createTempFolder, type TempFolder } from '../../spec/temp-folder.ts';

let folder: TempFolder;
let store: EventStore;
let made: number;
const ids = { ...systemIds, commandId: () => commandIdOf((made += 1)) };

beforeEach(() => {
  made = 0;
  folder = createTempFolder();
  store = openInThreadEventStore(folder.path);
});

afterEach(async () => {
  await store.close();
  folder.remove();
});

const found = (over: Partial<EventStore> = {}) =>
  foundOrReadIdentity({ store: { ...store, ...over }, ids, clock: systemClock });

const keptIdentity = (known: string | null): IdentifiedStore => ({
  identity: async () => known,
  setIdentity: async (registryId) => {
    known = registryId;
  },
});

describe('the identity of an event store', () => {
  it('is founded once, as the first event of all', async () => {
    expect(await found()).toBe(commandIdOf(1));
    expect(await found()).toBe(commandIdOf(1));
    const { events } = await store.readAll({ afterPosition: 0, limit: 10 });
    expect(events.map(({ type, stream }) => [type, stream.name])).toEqual([['RegistryFounded.v1', 'registry']]);
  });

  it('is the same for processes that found it at once', async () => {
    const both = await Promise.all([found(), found()]);
    expect(new Set(both).size).toBe(1);
    expect(await store.head()).toBe(1);
  });

  it.each(['head', 'read'] as const)('is taken from another process that founds it just after %s', async (call) => {
    let isFounded = false;
    const after = async <T>(result: Promise<T>): Promise<T> => {
      const value = await result;
      if (!isFounded) {
        isFounded = true;
        await found();
      }
      return value;
    };
    const over = {
      head: { head: () => after(store.head()) },
      read: { read: (...args: Parameters<EventStore['read']>) => after(store.read(...args)) },
    }[call];
    expect(await found(over)).toBe(commandIdOf(1));
    expect(await store.head()).toBe(1);
  });

  it('is refused to a store that another program has filled', async () => {
    await store.append({ stream: 'thing-1', expectedVersion: 0, events: [newEvent()] });
    await expect(found()).rejects.toThrow(/belongs to another program/);
    await expect(found()).rejects.toBeInstanceOf(StartupError);
    expect(await store.head()).toBe(1);
  });
});

describe('stores that are built from an event store', () => {
  it('remember it from the first start on and refuse another one', async () => {
    const readModels = keptIdentity(null);
    await checkIdentity('one', { 'read models': readModels });
    expect(await readModels.identity()).toBe('one');
    await checkIdentity('one', { 'read models': readModels });
    await expect(checkIdentity('two', { 'read models': readModels })).rejects.toThrow(
      /read models belong to registry one, but the event store is registry two/,
    );
    expect(await readModels.identity()).toBe('one');
  });

  it('must not have seen more than there is', () => {
    checkCheckpoint('The read model org', 7, 7);
    expect(() => checkCheckpoint('The read model org', 8, 7)).toThrow(
      /read model org has seen position 8, but the event store ends at 7/,
    );
  });
});
