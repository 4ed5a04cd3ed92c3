import { rmSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { BackendUnavailable } from '../../../src/kernel/backend-unavailable.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import { everyEvent, idsOf } from '../../contract/event-store/every-event.ts';
import { createGate, follow } from '../../contract/event-store/follow.ts';
import { newEvents } from '../../spec/events/events.ts';
import { eventually } from '../../spec/eventually.ts';
import { hurriedClock } from '../../spec/hurried-clock.ts';
import { createKeptLog } from '../../spec/kept-log.ts';
import { createTempFolder } from '../../spec/temp-folder.ts';
import { startStandin } from '../../standin/eventstoredb/standin-process.ts';
import { useStandin } from './use-standin.ts';

const { standin, control, open } = useStandin();

const write = async (store: EventStore, streams: number, eventsEach: number, name = 'org'): Promise<void> => {
  for (let index = 0; index < streams; index++) {
    const append = { stream: `${name}-${index}`, expectedVersion: 0, events: newEvents(eventsEach) };
    expect(await store.append(append)).toMatchObject({ outcome: 'appended' });
  }
};

describe('EventStoreDB stand-in, trap 10: a subscription that ends, with or without an error', () => {
  it.each(
    (['OK', 'UNAVAILABLE', 'ABORTED', 'CANCELLED'] as const).flatMap((status) =>
      [0, 13, 40].map((afterEvents) => ({ status, afterEvents })),
    ),
  )('is resumed without gap or repeat ($status after $afterEvents)', async ({ status, afterEvents }) => {
    const store = await open();
    await write(store, 15, 6);
    await control({ fault: 'end-subscriptions', status, afterEvents, times: 2 });
    const drops: Error[] = [];
    const followed = follow(store, { batchSize: 7, onDrop: (error) => void drops.push(error) });
    await eventually('it was dropped twice', () => drops.length === 2);
    await write(store, 3, 2, 'late');
    await eventually('everything has arrived', () => followed.events.length >= 96);
    expect(idsOf(followed.events)).toEqual(idsOf(await everyEvent(store)));
    await followed.subscription.close();
  });

  it('is resumed after what the handler is done with, not after what has come', async () => {
    const store = await open();
    await write(store, 20, 5);
    const [entered, gate] = [createGate(), createGate()];
    const during = () => {
      entered.open();
      return gate.passed;
    };
    const drops: Error[] = [];
    const followed = follow(store, { batchSize: 3, during, onDrop: (error) => void drops.push(error) });
    await entered.passed;
    await eventually('more has been sent', async () => {
      const { subscriptions } = await standin().stats();
      return (subscriptions.findLast((one) => one.open)?.eventsWritten ?? 0) > 20;
    });
    await control({ fault: 'end-subscriptions', status: 'UNAVAILABLE' });
    gate.open();
    await eventually('everything has arrived', () => followed.events.length >= 100);
    await eventually('the drop was told', () => drops.length > 0);
    expect(idsOf(followed.events)).toEqual(idsOf(await everyEvent(store)));
    await followed.subscription.close();
  });

  it('is given up when the server says that it is wrong', async () => {
    const store = await open();
    await write(store, 1, 3);
    const { done } = follow(store, { afterPosition: 5 }).subscription;
    await expect(done).rejects.toThrow('invalid position');
  });
});

describe('EventStoreDB stand-in, trap 11: an error that nobody listens for', () => {
  it('does not come from a subscription to a server that is not there yet', async () => {
    const folder = createTempFolder();
    const other = await startStandin({ dataFile: `${folder.path}/log` });
    await other.kill();
    const log = createKeptLog();
    const store = await open({ url: other.url, log });
    const drops: Error[] = [];
    const followed = follow(store, { onDrop: (error) => void drops.push(error) });
    await eventually('it was tried again and again', () => drops.length > 3);
    expect(log.lines[0]).toMatchObject({ level: 'warn', sentence: expect.stringContaining('dropped') });
    await other.restart();
    await write(store, 2, 2);
    await eventually('everything has arrived', () => followed.events.length === 4);
    await followed.subscription.close();
    await other.close();
    rmSync(folder.path, { recursive: true });
  });

  it('does not come from a subscription that the server takes and never confirms', async () => {
    const store = await open({ timeoutMs: 400 });
    await write(store, 2, 2);
    await control({ fault: 'hang', method: 'subscribe', times: 2 });
    const drops: Error[] = [];
    const followed = follow(store, { onDrop: (error) => void drops.push(error) });
    await eventually('everything has arrived', () => followed.events.length === 4);
    expect(drops.map(({ name }) => name)).toEqual(['TimedOut', 'TimedOut']);
    await followed.subscription.close();
    await eventually('none is left open', async () => (await standin().stats()).openCalls.subscribe === 0);
  });
});

describe('EventStoreDB stand-in, trap 12: a reader that is slower than the server', () => {
  it('is not sent more than it takes', async () => {
    const store = await open();
    await write(store, 40, 100);
    const [entered, gate] = [createGate(), createGate()];
    const during = () => {
      entered.open();
      return gate.passed;
    };
    const slow = follow(store, { batchSize: 50, during });
    await entered.passed;
    const quick = follow(store, { batchSize: 500 });
    await eventually('another has seen all', () => quick.events.length === 4000);
    const { subscriptions } = await standin().stats();
    const sent = subscriptions.filter((one) => one.open).map(({ eventsWritten }) => eventsWritten);
    expect(sent).toHaveLength(2);
    expect(Math.min(...sent)).toBeLessThan(2000);

    await control({ fault: 'end-subscriptions', status: 'ABORTED' }); // as older servers do
    gate.open();
    await eventually('it has seen all too', () => slow.events.length >= 4000);
    expect(idsOf(slow.events)).toEqual(idsOf(quick.events.slice(0, 4000)));
    await Promise.all([slow.subscription.close(), quick.subscription.close()]);
  });
});

describe('EventStoreDB stand-in, trap 13: nothing comes back by itself', () => {
  it('goes on after a restart of the server', async () => {
    const folder = createTempFolder();
    const other = await startStandin({ dataFile: `${folder.path}/log` });
    const store = await open({ url: other.url });
    const followed = follow(store, { batchSize: 4 });
    for (let round = 0; round < 3; round++) {
      await write(store, 3, 3, `round${round}`);
      await other.restart();
      expect((await store.read(`round${round}-1`)).version).toBe(3);
    }
    await write(store, 1, 1, 'last');
    await eventually('everything has arrived', () => followed.events.length >= 28);
    expect(idsOf(followed.events)).toEqual(idsOf(await everyEvent(store)));
    await followed.subscription.close();
    await other.close();
    rmSync(folder.path, { recursive: true });
  });

  it('notices a server that has frozen, and goes on when it thaws', async () => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue(); // the client advises a longer interval
    const store = await open({ timeoutMs: 300, url: `${standin().url}&keepAliveInterval=500&keepAliveTimeout=500` });
    warned.mockRestore();
    await write(store, 2, 2);
    const drops: Error[] = [];
    const followed = follow(store, { onDrop: (error) => void drops.push(error) });
    await eventually('it follows', () => followed.events.length === 4);
    standin().freeze();
    try {
      const append = { stream: 'late-a', expectedVersion: 0, events: newEvents(2) };
      await expect(store.append(append)).rejects.toThrow(BackendUnavailable);
      await expect(store.read('org-0')).rejects.toThrow(BackendUnavailable);
      await eventually('the drop was told', () => drops.length > 0);
    } finally {
      standin().thaw();
    }
    await eventually('it can be reached again', async () => {
      const outcome = await store
        .append({ stream: 'later-a', expectedVersion: 0, events: newEvents(1) })
        .catch((error: Error) => error);
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(BackendUnavailable);
      return !(outcome instanceof Error);
    });
    await eventually('it follows again', () => followed.events.at(-1)?.stream.name === 'later-a');
    expect(idsOf(followed.events)).toEqual(idsOf(await everyEvent(store)));
    await followed.subscription.close();
  });

  it('waits longer and longer, with some chance in it, and anew after progress', async () => {
    const sleepsMs: number[] = [];
    const clock = {
      ...systemClock,
      sleep: (ms: number, signal?: AbortSignal) => {
        sleepsMs.push(ms);
        return hurriedClock(1).sleep(ms, signal);
      },
    };
    const fractions = [0, 0.5, 0.999];
    const random = { bytes: (count: number) => new Uint8Array(count), fraction: () => fractions[sleepsMs.length % 3]! };
    const store = await open({ clock, random });
    await control({ fault: 'end-subscriptions', afterEvents: 0, times: 10 });
    const followed = follow(store);
    await eventually('it was dropped ten times', () => sleepsMs.length === 10);
    const full = [100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000, 10_000];
    expect(sleepsMs).toEqual(full.map((ms, index) => ms * (0.5 + 0.5 * fractions[index % 3]!)));

    await write(store, 1, 1);
    await eventually('it follows', () => followed.events.length === 1);
    await control({ fault: 'end-subscriptions', status: 'UNAVAILABLE' });
    await eventually('it was dropped once more', () => sleepsMs.length === 11);
    expect(sleepsMs.at(-1)).toBeLessThanOrEqual(100);
    await followed.subscription.close();
  });
});

describe('EventStoreDB stand-in, subscriptions', () => {
  it('hand over together what was written together, and tell the position past other types', async () => {
    const store = await open();
    await write(store, 3, 700);
    const followed = follow(store, { batchSize: 1000, types: ['Absent.v1'] });
    const head = await store.head();
    await eventually('the position has moved', () => followed.positions.at(-1) === head);
    expect(followed.positions.length).toBeLessThan(400); // not one call for each event that is passed
    await followed.subscription.close();
  });

  it('can be closed while the server is away', async () => {
    const other = await startStandin();
    const store = await open({ url: other.url, clock: systemClock });
    const drops: Error[] = [];
    const followed = follow(store, { onDrop: (error) => void drops.push(error) });
    await other.close();
    await eventually('the drop was told', () => drops.length > 2);
    await followed.subscription.close();
    await followed.subscription.done;
    await store.close();
  });
});
