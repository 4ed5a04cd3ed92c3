import { describe, expect, it } from 'vitest';
import { BackendUnavailable } from '../../../src/kernel/backend-unavailable.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import { everyEvent, idsOf } from '../../contract/event-store/every-event.ts';
import { newEvent, newEvents } from '../../spec/events/events.ts';
import { eventually } from '../../spec/eventually.ts';
import { clientOf, plainPath } from '../../standin/eventstoredb/standin-fixture.ts';
import { useStandin } from './use-standin.ts';

const { standin, control, open } = useStandin();

const reads: Record<string, (store: EventStore) => Promise<unknown>> = {
  read: (store) => store.read('org-a'),
  readMany: (store) => store.readMany(['org-a', 'org-b']),
  readAll: (store) => store.readAll({ afterPosition: 0, limit: 10 }),
  head: (store) => store.head(),
};

const noReadIsOpen = () =>
  eventually('no read is left open', async () => (await standin().stats()).openCalls.read === 0);

describe('EventStoreDB stand-in, trap 8: reads without a deadline and without a filter', () => {
  it.each(Object.entries(reads))('tries again, once, when the server never answers: %s', async (_, read) => {
    const patient = await open();
    await patient.append({ stream: 'org-a', expectedVersion: 0, events: newEvents(2) });
    const answer = await read(patient);
    const store = await open({ timeoutMs: 1_000 });
    await control({ fault: 'hang', method: 'read' });
    expect(JSON.stringify(await read(store))).toBe(JSON.stringify(answer));
    await control({ fault: 'hang', method: 'read', times: 9 });
    await expect(read(store)).rejects.toThrow(BackendUnavailable);
  });

  it("leaves the server's own events out, however many they are", async () => {
    const store = await open();
    const streams = Array.from({ length: 60 }, (_, index) => `org-${index}`);
    await store.append({ stream: 'first-a', expectedVersion: 0, events: newEvents(1) });
    await store.appendMany(streams.map((stream) => ({ stream, expectedVersion: 0, events: newEvents(2) })));
    const head = await store.head();
    for (const stream of streams) await store.truncate(stream, 2); // each writes an event of the server's own
    await control(...Array.from({ length: 20 }, () => ({ command: 'write-system-event' as const })));

    const other = await open(); // knows no head yet
    expect(await other.head()).toBe(head);
    const all = await other.readAll({ afterPosition: 0, limit: 1000 });
    expect(all.events).toHaveLength(121);
    expect(all.position).toBe(head);
    expect(await other.readAll({ afterPosition: head, limit: 1 })).toEqual({ events: [], position: head });

    await store.append({ stream: 'last-a', expectedVersion: 0, events: newEvents(1) });
    const [last] = (await other.readAll({ afterPosition: head, limit: 1 })).events;
    expect(last?.stream.name).toBe('last-a');
    expect(await other.head()).toBe(last?.position);
  });

  it('leaves out events in streams of the server, whatever their type', async () => {
    const store = await open();
    const client = clientOf(standin());
    const foreign = { id: newEvent().id, type: 'Foreign.v1', contentType: 'application/json' as const, data: {} };
    await client.appendToStream('$foreign', { ...foreign, metadata: undefined }, plainPath);
    expect(await store.head()).toBe(0);
    expect(await everyEvent(store)).toEqual([]);
    await client.dispose();
  });

  it('answers the head of an empty server that has only events of its own', async () => {
    await control(...Array.from({ length: 40 }, () => ({ command: 'write-system-event' as const })));
    const store = await open();
    expect(await store.head()).toBe(0);
    expect(await store.readAll({ afterPosition: 0, limit: 5 })).toEqual({ events: [], position: 0 });
  });
});

describe('EventStoreDB stand-in, trap 9: reads that are left hold their place on the connection', () => {
  it('ends each read that has seen enough', async () => {
    const store = await open();
    for (let index = 0; index < 20; index++) {
      await store.append({ stream: `org-${index}`, expectedVersion: 0, events: newEvents(300) });
    }
    for (let index = 0; index < 120; index++) {
      const { events } = await store.readAll({ afterPosition: 0, limit: 1, types: ['ThingHappened.v1'] });
      expect(events).toHaveLength(1);
    }
    await noReadIsOpen();
    expect((await store.read('org-1')).events).toHaveLength(300);
  });

  it('ends each read that has timed out', async () => {
    const store = await open({ timeoutMs: 200 });
    await control({ fault: 'hang', method: 'read', times: 240 });
    const streams = Array.from({ length: 120 }, (_, index) => `org-${index}`);
    await expect(store.readMany(streams)).rejects.toThrow(BackendUnavailable);
    await noReadIsOpen();
    await control({ command: 'clear' });
    expect(await store.readMany(streams)).toHaveLength(120);
  });
});

describe('EventStoreDB stand-in, reads', () => {
  it('take one call for a whole stream, and go on where a cut has interrupted them', async () => {
    const store = await open();
    const text = 'x'.repeat(1_200);
    const appends = Array.from({ length: 10 }, (_, index) => ({
      stream: `org-${index}`,
      expectedVersion: 0,
      events: Array.from({ length: 250 }, () => newEvent('ThingHappened.v1', { text })),
    }));
    await store.appendMany(appends);
    const ids = idsOf(await everyEvent(store));
    const reading = store.readAll({ afterPosition: 0, limit: 5000 });
    await eventually('it is being read', async () => (await standin().stats()).openCalls.read > 0, { everyMs: 1 });
    await control({ command: 'drop-connections' });
    expect(idsOf((await reading).events)).toEqual(ids);
  });

  it('go to the leader, as appends do: another node may be behind', async () => {
    const store = await open();
    await store.append({ stream: 'org-a', expectedVersion: 0, events: newEvents(2) });
    const triesOf = async (method: 'read' | 'append', call: () => Promise<unknown>): Promise<number> => {
      const seen = async () => (await standin().stats())[method === 'read' ? 'readsSeen' : 'appendsSeen'];
      await control({ command: 'clear' }, { fault: 'not-leader', method });
      const before = await seen();
      await call();
      return (await seen()) - before;
    };
    expect(await triesOf('read', () => store.read('org-a'))).toBe(2);
    expect(await triesOf('read', () => store.head())).toBe(2);
    expect(await triesOf('read', () => store.readAll({ afterPosition: 0, limit: 10 }))).toBe(2);
    const append = { stream: 'org-a', expectedVersion: 2, events: newEvents(1) };
    expect(await triesOf('append', () => store.append(append))).toBe(2);
    expect((await store.read('org-a')).version).toBe(3);
  });

  it('are refused after the store was closed', async () => {
    const store = await open();
    await store.close();
    for (const read of Object.values(reads)) await expect(read(store)).rejects.toThrow('closed');
  });

  it('name a position that is none of this server', async () => {
    const store = await open();
    await store.append({ stream: 'org-a', expectedVersion: 0, events: newEvents(2) });
    await expect(store.readAll({ afterPosition: 5, limit: 1 })).rejects.toThrow('invalid position');
  });

  it('name a stream that somebody has deleted for good', async () => {
    const store = await open();
    await store.append({ stream: 'org-a', expectedVersion: 0, events: newEvents(2) });
    const client = clientOf(standin());
    await client.tombstoneStream('org-a');
    await expect(store.read('org-a')).rejects.toThrow(/EventStoreDB has failed to read org-a: .*deleted/);
    await client.dispose();
  });
});
