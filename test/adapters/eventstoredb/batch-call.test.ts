import { describe, expect, it } from 'vitest';
import { BackendUnavailable } from '../../../src/kernel/backend-unavailable.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import { idsOf } from '../../contract/event-store/every-event.ts';
import { follow } from '../../contract/event-store/follow.ts';
import { newEvent, newEvents } from '../../spec/events/events.ts';
import { eventually } from '../../spec/eventually.ts';
import { createKeptLog } from '../../spec/kept-log.ts';
import { createTempFolder } from '../../spec/temp-folder.ts';
import { startStandin } from '../../standin/eventstoredb/standin-process.ts';
import { useStandin } from './use-standin.ts';

const { standin, control, open } = useStandin();

const appendOne = (store: EventStore, stream: string) =>
  store.append({ stream, expectedVersion: 0, events: newEvents(1) });
const appendEach = (store: EventStore, count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => appendOne(store, `org-${index}`)));
const openBatchCalls = async () => (await standin().stats()).openCalls.batchAppend;
const appended = { outcome: 'appended', version: 1 };
const seenDuring = async (work: () => Promise<unknown>): Promise<number> => {
  const before = (await standin().stats()).appendsSeen;
  await work();
  return (await standin().stats()).appendsSeen - before;
};

describe('EventStoreDB stand-in, one call for many appends', () => {
  it('carries all appends of a store, and ends with it', async () => {
    const [store, other] = [await open(), await open()];
    expect(await appendEach(store, 100)).toEqual(Array(100).fill(expect.objectContaining(appended)));
    expect(await openBatchCalls()).toBe(1);
    await appendOne(other, 'org-other');
    expect(await openBatchCalls()).toBe(2);
    await store.close();
    await eventually('its call is over', async () => (await openBatchCalls()) === 1);
    expect(await appendOne(other, 'org-last')).toMatchObject(appended);
  });

  it.each([true, false])('settles what waits on it when the server ends it with OK (stored: %s)', async (commit) => {
    const store = await open({ timeoutMs: 600_000 });
    await appendOne(store, 'org-before');
    await control({ fault: 'end-batch-call', commit });
    const events = newEvents(2);
    let outcomes: unknown[] = [];
    const appending = Promise.all([
      store.append({ stream: 'org-a', expectedVersion: 0, events }),
      ...Array.from({ length: 20 }, (_, index) => appendOne(store, `org-${index}`)),
    ]);
    void appending.then((all) => (outcomes = all));
    await eventually('all are answered', () => outcomes.length === 21);
    expect(outcomes.slice(1)).toEqual(Array(20).fill(expect.objectContaining(appended)));
    expect(idsOf((await store.read('org-a')).events)).toEqual(idsOf(events));
    await eventually('the old call is over', async () => (await openBatchCalls()) === 1);
  });

  it('lets a store be closed whose call the server ends again and again', async () => {
    const store = await open();
    await control({ fault: 'end-batch-call', times: 9 });
    await expect(appendOne(store, 'org-a')).rejects.toThrow(BackendUnavailable);
    await store.close();
  });

  it('tries again where a node is not ready, over a new call', async () => {
    const store = await open();
    await appendOne(store, 'org-before');
    await control({ fault: 'not-ready' });
    expect(await seenDuring(async () => expect(await appendOne(store, 'org-a')).toMatchObject(appended))).toBe(2);
    await control({ fault: 'not-ready', times: 9 });
    await expect(appendOne(store, 'org-b')).rejects.toThrow(BackendUnavailable);
  });

  it('lets one append that hangs be, and answers its neighbours', async () => {
    const store = await open({ timeoutMs: 1_000 });
    await appendOne(store, 'org-before');
    const { appendsSeen, batchCallsSeen } = await standin().stats();
    await control({ fault: 'hang', method: 'append' });
    const hanging = appendOne(store, 'org-a');
    await eventually('it hangs', async () => (await standin().stats()).appendsSeen > appendsSeen);
    expect(await seenDuring(() => appendEach(store, 30))).toBe(30);
    expect(await hanging).toMatchObject(appended);
    expect((await standin().stats()).batchCallsSeen).toBe(batchCallsSeen); // what it carried was not sent again
  });

  it('is given up when it answers nobody, and a new one serves', async () => {
    const store = await open({ timeoutMs: 500 });
    await control({ fault: 'hang', method: 'batchAppend' });
    expect(await appendOne(store, 'org-a')).toMatchObject(appended);
    await eventually('the old call is over', async () => (await openBatchCalls()) === 1);
  });

  it('breaks without losing or doubling anything, however much waits to be written', async () => {
    const store = await open();
    await appendOne(store, 'org-before');
    const text = 'x'.repeat(20_000);
    await control({ fault: 'commit-then-drop', method: 'append' });
    const appends = Array.from({ length: 100 }, (_, index) => ({
      stream: `org-${index}`,
      expectedVersion: 0,
      events: [newEvent('ThingHappened.v1', { text })],
    }));
    const outcomes = await store.appendMany(appends);
    expect(outcomes).toEqual(Array(100).fill(expect.objectContaining(appended)));
    const slices = await store.readMany(appends.map(({ stream }) => stream));
    expect(slices.map(({ events }) => idsOf(events))).toEqual(appends.map(({ events }) => idsOf(events)));
  });

  it('asks a server anew what it offers when the connection is a new one', async () => {
    const folder = createTempFolder();
    const dataFile = `${folder.path}/log`;
    const older = await startStandin({ dataFile, batchAppend: false });
    const log = createKeptLog();
    const store = await open({ url: older.url, log });
    await appendOne(store, 'org-a');
    expect(log.lines).toHaveLength(1);
    const drops: Error[] = [];
    const followed = follow(store, { onDrop: (error) => void drops.push(error) });
    await eventually('it follows', () => followed.events.length === 1);
    await older.close();
    await eventually('the drop was told', () => drops.length > 0);
    const newer = await startStandin({ dataFile, port: older.port });
    await eventually('it is reached again', async () => {
      const outcome = await appendOne(store, 'org-b').catch((error: Error) => error);
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(BackendUnavailable);
      return !(outcome instanceof Error);
    });
    await appendOne(store, 'org-c');
    expect((await newer.stats()).openCalls.batchAppend).toBe(1);
    await store.close();
    await newer.close();
    folder.remove();
  });
});
