import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { BackendUnavailable } from '../../../src/kernel/backend-unavailable.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import { everyEvent, idsOf } from '../../contract/event-store/every-event.ts';
import { newEvent, newEvents } from '../../spec/events/events.ts';
import { eventually } from '../../spec/eventually.ts';
import { createKeptLog } from '../../spec/kept-log.ts';
import { useStandin } from './use-standin.ts';

describe.each([
  { path: 'batch', batchAppend: true },
  { path: 'plain', batchAppend: false },
])('EventStoreDB stand-in, $path append', ({ batchAppend }) => {
  const { standin, control, open } = useStandin({ batchAppend, commitTimeoutMs: 30_000 });

  const appendOne = (store: EventStore, stream = 'org-a', expectedVersion = 0) =>
    store.append({ stream, expectedVersion, events: [newEvent()] });

  /** How many append requests reach the server meanwhile. */
  async function appendsSeenDuring(work: () => Promise<unknown>): Promise<number> {
    const before = (await standin().stats()).appendsSeen;
    await work();
    return (await standin().stats()).appendsSeen - before;
  }

  const appended = { outcome: 'appended', version: 1 };

  describe('trap 1: calls without a deadline', () => {
    it('takes the way that the test means', async () => {
      const store = await open();
      expect(await appendOne(store)).toMatchObject(appended);
      expect((await standin().stats()).openCalls.batchAppend).toBe(batchAppend ? 1 : 0);
    });

    it('gives up when the server never tells what it can do, and asks again', async () => {
      await control({ fault: 'hang', method: 'features', times: 2 });
      const store = await open({ timeoutMs: 500 });
      await expect(appendOne(store)).rejects.toThrow(BackendUnavailable);
      expect(await appendOne(store)).toMatchObject(appended);
    });

    it.each(['UNAVAILABLE', 'ABORTED'] as const)('asks again after %s', async (status) => {
      await control({ fault: 'features-fail', status });
      expect(await appendOne(await open())).toMatchObject(appended);
    });

    it('gives a server that cannot tell a call for each append, and says so', async () => {
      await control({ fault: 'features-fail', status: 'UNIMPLEMENTED' });
      const log = createKeptLog();
      const store = await open({ log });
      for (const stream of ['org-a', 'org-b']) expect(await appendOne(store, stream)).toMatchObject(appended);
      expect((await standin().stats()).openCalls.batchAppend).toBe(0);
      expect(log.lines).toMatchObject([{ level: 'warn', sentence: expect.stringContaining('batch append') }]);
    });

    it('gives up when the server never answers', async () => {
      await control({ fault: 'hang', method: 'append', times: 2 });
      const store = await open({ timeoutMs: 500 });
      await expect(appendOne(store)).rejects.toThrow(BackendUnavailable);
      expect(await store.append({ stream: 'org-b', expectedVersion: 0, events: newEvents(1) })).toMatchObject(appended);
    });

    it('sends those away who wait in line when it gives up', async () => {
      await control({ fault: 'hang', method: 'append', times: 10_000 });
      const store = await open({ timeoutMs: 500 });
      const appends = Array.from({ length: 500 }, (_, index) => ({
        stream: `org-${index}`,
        expectedVersion: 0,
        events: newEvents(1),
      }));
      const seen = await appendsSeenDuring(() => expect(store.appendMany(appends)).rejects.toThrow(BackendUnavailable));
      expect(seen).toBeLessThan(200); // 64 at once, and not one after another all of the 500
    });
  });

  describe('trap 4: data that cannot be serialised', () => {
    it('is refused before the client sees it', async () => {
      const store = await open();
      const seen = await appendsSeenDuring(async () => {
        for (const value of [1n, undefined, Number.NaN, Symbol('s')]) {
          const events = [newEvent('ThingHappened.v1', { deep: [{ value }] })];
          await expect(store.append({ stream: 'org-a', expectedVersion: 0, events })).rejects.toThrow(TypeError);
        }
      });
      expect(seen).toBe(0);
    });

    it('is taken as it is when the append begins, whatever becomes of the object', async () => {
      const store = await open();
      const data = { text: 'before' };
      const appending = store.append({ stream: 'org-a', expectedVersion: 0, events: [newEvent('A.v1', data)] });
      data.text = 'after';
      await appending;
      expect((await store.read('org-a')).events[0]?.data).toEqual({ text: 'before' });
    });
  });

  describe('trap 5: failed appends that do not throw', () => {
    it('are conflicts with the right version', async () => {
      const store = await open({ url: `${standin().url}&throwOnAppendFailure=false` });
      await store.append({ stream: 'org-a', expectedVersion: 0, events: newEvents(3) });
      expect(await appendOne(store, 'org-a', 2)).toEqual({ outcome: 'conflict', actualVersion: 3 });
      expect(await appendOne(store, 'org-b', 2)).toEqual({ outcome: 'conflict', actualVersion: 0 });
    });

    it('refuses an empty append itself', async () => {
      const store = await open();
      const append = () => store.append({ stream: 'org-a', expectedVersion: 0, events: [] });
      expect(await appendsSeenDuring(() => expect(append()).rejects.toThrow(TypeError))).toBe(0);
    });
  });

  describe('trap 6: errors of many shapes', () => {
    it('names a server that is not there', async () => {
      const store = await open({ url: 'esdb://127.0.0.1:1?tls=false' });
      for (const call of [() => appendOne(store), () => store.read('org-a'), () => store.head()]) {
        const error = await call().then(String, (reason: unknown) => reason);
        expect(error).toBeInstanceOf(BackendUnavailable);
        expect(error).toMatchObject({ backend: 'EventStoreDB', cause: expect.any(Error) });
      }
    });

    it('names a cluster that cannot be found', async () => {
      const url = 'esdb+discover://127.0.0.1:1?tls=false&maxDiscoverAttempts=1&discoveryInterval=1';
      await expect(appendOne(await open({ url }))).rejects.toThrow(BackendUnavailable);
    });
  });

  describe('trap 7: an append that may be stored or not', () => {
    it.each(
      [undefined, 'CANCELLED' as const, 'UNAVAILABLE' as const, 'ABORTED' as const].flatMap((status) =>
        (['commit-then-drop', 'drop-before-commit'] as const).map((fault) => ({ status, fault })),
      ),
    )('is sent again as the same one ($fault, $status)', async ({ status, fault }) => {
      const store = await open();
      await appendOne(store, 'org-a');
      await control({ fault, method: 'append', times: 2, ...(status && { status }) });
      const events = newEvents(3);
      const outcome = await store.append({ stream: 'org-a', expectedVersion: 1, events });
      const all = await everyEvent(store);
      expect(outcome).toEqual({ outcome: 'appended', version: 4, position: all.at(-1)?.position });
      expect(idsOf(all.slice(1))).toEqual(idsOf(events));
    });

    it('is given up after three tries', async () => {
      const store = await open();
      await control({ fault: 'drop-before-commit', method: 'append', times: 9, status: 'UNAVAILABLE' });
      expect(await appendsSeenDuring(() => expect(appendOne(store)).rejects.toThrow(BackendUnavailable))).toBe(3);
    });
  });

  describe('trap 15: a repeat of an append that is still in flight is dropped', () => {
    const repeatsDropped = async () => (await standin().stats()).repeatsDropped;
    const append = () => ({ stream: 'org-a', expectedVersion: 0, events: newEvents(3) });
    const dropped = async (count: number) =>
      eventually('the repeat was dropped', async () => (await repeatsDropped()) === count);

    it('is tried soon, once more after that, and answered as the first would have been', async () => {
      const sleepsMs: number[] = [];
      const sleep: Clock['sleep'] = (ms, signal) => {
        sleepsMs.push(ms);
        return systemClock.sleep(1, signal);
      };
      const store = await open({ clock: { ...systemClock, sleep } });
      const before = await repeatsDropped();
      const one = append();
      await control({ fault: 'hold-commit', method: 'append', cut: true });
      const seen = await appendsSeenDuring(async () => {
        const appending = store.append(one);
        await dropped(before + 1);
        await control({ command: 'release-commits' }, { command: 'time-out-commits' });
        const all = await everyEvent(store);
        expect(await appending).toEqual({ outcome: 'appended', version: 3, position: all.at(-1)?.position });
        expect(idsOf(all)).toEqual(idsOf(one.events));
      });
      expect(seen).toBe(3);
      expect(sleepsMs).toHaveLength(2);
      expect(sleepsMs[0]).toBeLessThanOrEqual(50);
    });

    it('is told as an outage while it lasts, and is one append whenever it is sent again', async () => {
      const store = await open();
      const one = append();
      await control({ fault: 'hold-commit', method: 'append' });
      const error = store.append(one).catch((reason: unknown) => reason);
      let isOver = false;
      void error.finally(() => (isOver = true));
      await eventually('it was given up', async () => {
        await control({ command: 'time-out-commits' });
        return isOver;
      });
      expect(await error).toBeInstanceOf(BackendUnavailable);
      expect(await everyEvent(store)).toEqual([]);
      await control({ command: 'release-commits' });
      expect(await store.append(one)).toMatchObject({ outcome: 'appended', version: 3 });
      expect(idsOf(await everyEvent(store))).toEqual(idsOf(one.events));
    });

    it('leaves another writer behind the first, who finds a conflict', async () => {
      const [store, other] = [await open(), await open()];
      const before = await repeatsDropped();
      await control({ fault: 'hold-commit', method: 'append', cut: true });
      const first = store.append(append());
      await dropped(before + 1);
      const seen = (await standin().stats()).appendsSeen;
      const second = appendOne(other);
      await eventually('it waits', async () => (await standin().stats()).appendsSeen > seen);
      await control({ command: 'release-commits' }, { command: 'time-out-commits' });
      expect(await second).toEqual({ outcome: 'conflict', actualVersion: 3 });
      expect(await first).toMatchObject({ outcome: 'appended', version: 3 });
    });
  });

  describe('appends', () => {
    it('go out 64 at once, so that the connection has room for other calls', async () => {
      const store = await open();
      const before = (await standin().stats()).appendsSeen;
      await control({ fault: 'hang', method: 'append', times: 200 });
      const appends = Array.from({ length: 100 }, (_, index) => appendOne(store, `org-${index}`));
      await eventually('the first are on their way', async () => (await standin().stats()).appendsSeen === before + 64);
      expect(await store.head()).toBe(0);
      await control({ command: 'clear' }, { command: 'drop-connections' });
      expect((await Promise.all(appends)).every(({ outcome }) => outcome === 'appended')).toBe(true);
    });

    it('answer a repeat whose event was truncated meanwhile with its version', async () => {
      const store = await open();
      const first = { stream: 'org-a', expectedVersion: 0, events: newEvents(2) };
      await store.append(first);
      await store.append({ stream: 'org-a', expectedVersion: 2, events: newEvents(1) });
      await store.truncate('org-a', 3);
      const head = await store.head();
      expect(await store.append(first)).toEqual({ outcome: 'appended', version: 2, position: head });
    });
  });
});
