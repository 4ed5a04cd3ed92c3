import { describe, expect, it } from 'vitest';
import { BackendUnavailable } from '../../../src/kernel/backend-unavailable.ts';
import type { EventStore, StreamAppend } from '../../../src/ports/event-store.ts';
import { everyEvent, idsOf } from '../../contract/event-store/every-event.ts';
import { follow } from '../../contract/event-store/follow.ts';
import { newEvents } from '../../spec/events/events.ts';
import { eventually } from '../../spec/eventually.ts';
import { useStandin } from './use-standin.ts';

const { standin, control, open } = useStandin({ nodes: 3, commitTimeoutMs: 200 });

const addressOf = (node: number): string => `127.0.0.1:${standin().ports[node]}?tls=false`;

const appendTo = (stream: string, expectedVersion = 0): StreamAppend => ({
  stream,
  expectedVersion,
  events: newEvents(2),
});

/** As whoever calls the store does after an outage: the same once more. */
async function throughOutages<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof BackendUnavailable)) throw error;
    }
  }
}

describe('EventStoreDB stand-in, a cluster without batch append', () => {
  const older = useStandin({ nodes: 3, commitTimeoutMs: 200, batchAppend: false });

  it('takes appends at its new leader when the old one is behind', async () => {
    const store = await older.open();
    await store.append(appendTo('org-a'));
    await older.control({ command: 'elect', node: 1, oldLags: true });
    expect(await store.append(appendTo('org-a', 2))).toMatchObject({ outcome: 'appended', version: 4 });
  });
});

describe('EventStoreDB stand-in, a cluster', () => {
  it.each([
    ['all its nodes', () => standin().url],
    ['one that tells of the others', () => `esdb+discover://${addressOf(1)}`],
    ['a follower', () => `esdb://${addressOf(1)}`],
  ])('is reached by the address of %s', async (_, url) => {
    await control({ command: 'elect', node: 2 });
    const store = await open({ url: url() });
    const append = appendTo('org-a');
    expect(await store.append(append)).toMatchObject({ outcome: 'appended', version: 2 });
    const followed = follow(store);
    await eventually('it follows', () => followed.events.length === 2);
    expect(idsOf((await store.read('org-a')).events)).toEqual(idsOf(append.events));
    await followed.subscription.close();
  });

  it('is never read from an old leader that is behind, where it is decided', async () => {
    const [store, other] = [await open(), await open()];
    await store.append(appendTo('org-a'));
    await control({ command: 'elect', node: 1, oldLags: true });
    const late = appendTo('org-a', 2);
    await other.append(late);
    const position = await other.head();
    expect((await store.read('org-a')).version).toBe(4);

    const reads: Record<string, (fresh: EventStore) => Promise<unknown>> = {
      backwards: async (fresh) => (await fresh.read('org-a', { direction: 'backwards', limit: 1 })).version,
      head: (fresh) => fresh.head(),
      readAll: async (fresh) => (await fresh.readAll({ afterPosition: 0, limit: 10 })).position,
    };
    for (const [name, read] of Object.entries(reads)) {
      const fresh = await open({ url: `esdb://${addressOf(0)}` });
      expect(await read(fresh), name).toBe(name === 'backwards' ? 4 : position);
    }
  });

  it('takes appends at its new leader when the old one is behind', async () => {
    const store = await open();
    await store.append(appendTo('org-a'));
    await control({ command: 'elect', node: 1, oldLags: true });
    expect(await store.append(appendTo('org-a', 2))).toMatchObject({ outcome: 'appended', version: 4 });
  });

  it('stores once what the old leader had not committed', async () => {
    const store = await open();
    const seen = (await standin().stats()).appendsSeen;
    await control({ fault: 'hold-commit', method: 'append' });
    const append = appendTo('org-a');
    const appending = throughOutages(() => store.append(append));
    await eventually('it is in flight', async () => (await standin().stats()).appendsSeen > seen);
    await control({ command: 'elect', node: 2, oldLags: true });
    expect(await appending).toMatchObject({ outcome: 'appended', version: 2 });
    expect(idsOf(await everyEvent(store))).toEqual(idsOf(append.events));
  });

  it('is an outage while nobody leads, and no longer', async () => {
    const url = `${standin().url}&maxDiscoverAttempts=1&discoveryInterval=1`;
    const store = await open({ url });
    await store.append(appendTo('org-a'));
    await control({ command: 'elect', node: null });
    await expect(store.append(appendTo('org-a', 2))).rejects.toThrow(BackendUnavailable);
    await expect(store.read('org-a')).rejects.toThrow(BackendUnavailable);
    await control({ command: 'elect', node: 1 });
    expect(await store.append(appendTo('org-a', 2))).toMatchObject({ outcome: 'appended', version: 4 });
  });

  it('is followed at its leader, also by whoever does nothing else', async () => {
    const [store, other] = [await open(), await open()];
    const drops: Error[] = [];
    const followed = follow(store, { onDrop: (error) => void drops.push(error) });
    await other.append(appendTo('org-a'));
    await eventually('it follows', () => followed.events.length === 2);
    await control({ command: 'elect', node: 1, oldLags: true });
    await other.append(appendTo('org-a', 2));
    await eventually('it follows the new leader', () => followed.events.length === 4);
    expect(drops[0]?.name).toBe('LeaderChanged'); // not when the old connection is swept away at last
    const late = follow(await open({ url: `esdb://${addressOf(0)}` }));
    await eventually('who comes later follows it too', () => late.events.length === 4);
    await eventually('none is left open', async () => (await standin().stats(0)).openCalls.subscribe === 0);
    for (const { events } of [followed, late]) expect(idsOf(events)).toEqual(idsOf(await everyEvent(other)));
    await Promise.all([followed, late].map(({ subscription }) => subscription.close()));
  });

  it('is followed at its leader by whoever had not been confirmed when the leader changed', async () => {
    const [store, other] = [await open(), await open()];
    await store.head(); // so the client is with the old leader
    await control({ fault: 'hang', method: 'subscribe' });
    const drops: Error[] = [];
    const followed = follow(store, { onDrop: (error) => void drops.push(error) });
    await eventually('it was asked for', async () => (await standin().stats(0)).openCalls.subscribe === 1);
    await control({ command: 'elect', node: 1, oldLags: true });
    await other.append(appendTo('org-a'));
    await eventually('it follows the new leader', () => followed.events.length === 2);
    expect(drops.map(({ name }) => name)).toEqual(['LeaderChanged']); // and not when a time-out ended it
    await eventually('none is left open', async () => (await standin().stats(0)).openCalls.subscribe === 0);
    await followed.subscription.close();
  });

  it('is followed by whoever knows one node only, and is sent to the leader again and again', async () => {
    const other = await open();
    const follower = await open({ url: `esdb://${addressOf(1)}` });
    const drops: Error[] = [];
    const followed = follow(follower, { onDrop: (error) => void drops.push(error) });
    await other.append(appendTo('org-a'));
    await eventually('it follows', () => followed.events.length === 2);
    expect(drops).toHaveLength(1); // when it was sent to the leader, and not once more for having gone there
    await control({ command: 'elect', node: 2, oldLags: true });
    await other.append(appendTo('org-a', 2));
    await eventually('it follows the new leader', () => followed.events.length === 4);
    expect(drops.slice(1).map(({ name }) => name)).toEqual(['LeaderChanged']);
    await followed.subscription.close();
  });

  it('loses and repeats nothing when its leader changes again and again under load', async () => {
    const [store, follower] = [await open(), await open()];
    const followed = follow(follower);
    const acknowledged: string[] = [];
    let isOver = false;
    const write = async (stream: string): Promise<void> => {
      for (let version = 0; !isOver; version += 2) {
        expect((await throughOutages(() => store.read(stream))).version).toBe(version);
        const append = appendTo(stream, version);
        expect(await throughOutages(() => store.append(append))).toMatchObject({ outcome: 'appended' });
        acknowledged.push(...idsOf(append.events));
      }
    };
    const writing = Promise.all(['org-a', 'org-b', 'org-c', 'org-d'].map(write));
    for (let round = 1; round <= 6; round++) {
      const before = acknowledged.length;
      await eventually('more was written', () => acknowledged.length >= before + 20);
      await control({ command: 'catch-up' });
      if (round % 3 === 0) await control({ command: 'elect', node: null });
      await control({ command: 'elect', node: round % 3, oldLags: true });
    }
    isOver = true;
    await writing;
    const all = await everyEvent(store);
    expect(idsOf(all).toSorted()).toEqual(acknowledged.toSorted());
    await eventually('everything has arrived', () => followed.events.length >= all.length);
    expect(idsOf(followed.events)).toEqual(idsOf(all));
    await followed.subscription.close();
  });
});
