import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmbeddedMessageBus } from '../../../../src/adapters/embedded/message-bus/message-bus.ts';
import { createEmbeddedOperationalStore } from '../../../../src/adapters/embedded/operational-store/operational-store.ts';
import { startOpsWriter } from '../../../../src/adapters/embedded/operational-store/writer-client.ts';
import type { MessageBus } from '../../../../src/ports/message-bus.ts';
import {
  createGate,
  makeNames,
  numbered,
  startRecorder,
  valuesOf,
  waitingIn,
} from '../../../contract/message-bus/recorder.ts';
import { eventually } from '../../../spec/eventually.ts';
import { createFakeClock, type FakeClock } from '../../../spec/fake-clock.ts';
import { createTempFolder, type TempFolder } from '../../../spec/temp-folder.ts';

const onFatal = (error: Error) => {
  throw error;
};

describe('the embedded message bus', () => {
  let folder: TempFolder;
  let buses: MessageBus[];
  beforeEach(() => {
    folder = createTempFolder();
    buses = [];
  });
  afterEach(async () => {
    await Promise.all(buses.map((bus) => bus.close()));
    folder.remove();
  });

  const open = async (clock: FakeClock): Promise<MessageBus> => {
    const bus = await createEmbeddedMessageBus({ folder: folder.path, clock, onFatal });
    buses.push(bus);
    return bus;
  };
  /** Asks again until it holds, while time passes. */
  const inTime = (clock: FakeClock, what: string, condition: () => boolean | Promise<boolean>) =>
    eventually(what, () => {
      clock.advance(50);
      return condition();
    });

  it('removes what is older than its topic keeps, read or not, in many steps', async () => {
    const clock = createFakeClock();
    const bus = await open(clock);
    const retentionMs = 3_600_000;
    const names = await makeNames(bus, { partitions: 2, retentionMs });
    await bus.produce(names.topic, numbered(3_000, 20, 'old'));
    await bus.produce(
      names.topic,
      Array.from({ length: 10 }, () => ({ key: 'large', value: 'x'.repeat(900_000) })),
    );
    clock.advance(retentionMs - 1_000);
    const young = numbered(5, 5, 'young');
    await bus.produce(names.topic, young);
    expect(await waitingIn(bus, names)).toBe(3_015);
    clock.advance(62_000);
    await eventually('the old ones are gone', async () => (await waitingIn(bus, names)) === 5);
    const { begun } = startRecorder(bus, names);
    await inTime(clock, 'the young ones came', () => begun.length >= 5);
    expect(valuesOf(begun).sort()).toEqual(valuesOf(young));
    await inTime(clock, 'nothing waits', async () => (await waitingIn(bus, names)) === 0);
    clock.advance(retentionMs + 60_000);
    await bus.produce(names.topic, [{ key: 'k', value: 'offsets are not used twice' }]);
    await inTime(clock, 'it came', () => begun.length === 6);
  });

  it('takes over from a member that stands still, which then moves nothing and is told', async () => {
    const startMs = Date.UTC(2030, 0, 1);
    const [still, later] = [createFakeClock(startMs), createFakeClock(startMs + 20_000)];
    const slow = await open(still);
    const names = await makeNames(slow, { partitions: 1 });
    await slow.produce(names.topic, numbered(3, 3));
    const gate = createGate();
    const signals: AbortSignal[] = [];
    const paused = startRecorder(slow, names, {
      concurrency: 1,
      handle: async (_, lost) => {
        signals.push(lost);
        await gate.passed;
      },
    });
    await eventually('one is in hand', () => paused.begun.length === 1);
    const quick = await open(later);
    const { finished } = startRecorder(quick, names);
    await inTime(later, 'the other took over', () => finished.length >= 3);
    await inTime(later, 'nothing waits', async () => (await waitingIn(quick, names)) === 0);
    await quick.produce(names.topic, [{ key: 'k', value: 'next' }]);
    await eventually('it came', () => finished.length === 4);
    await inTime(later, 'nothing waits', async () => (await waitingIn(quick, names)) === 0);

    expect(signals[0]!.aborted).toBe(false);
    gate.open();
    await eventually('it is finished for nothing', () => paused.finished.length > 0);
    await inTime(still, 'the first is told', () => signals[0]!.aborted);
    expect(await waitingIn(quick, names)).toBe(0);
    expect(valuesOf(finished)).toEqual(['m-0', 'm-1', 'm-2', 'next']);
  });

  it('tells its consumers when another process keeps the file locked, and goes on', async () => {
    const clock = createFakeClock();
    const bus = await open(clock);
    const names = await makeNames(bus);
    const drops: Error[] = [];
    const recorder = startRecorder(bus, names, { onDrop: (error) => void drops.push(error) });
    await bus.produce(names.topic, numbered(20, 20));
    await inTime(clock, 'all are finished', () => recorder.finished.length >= 20);
    const other = new Sqlite(join(folder.path, 'ops.sqlite'));
    other.exec('BEGIN IMMEDIATE');
    await inTime(clock, 'it is told', () => drops.length > 0);
    expect(drops[0]).toMatchObject({ code: 'SQLITE_BUSY' });
    other.exec('ROLLBACK');
    other.close();
    await bus.produce(names.topic, numbered(20, 20));
    await inTime(clock, 'nothing waits', async () => (await waitingIn(bus, names)) === 0);
    expect(recorder.finished).toHaveLength(40);
  });

  it('shares a writer with the operational store', async () => {
    const clock = createFakeClock();
    const writer = await startOpsWriter({ folder: folder.path, onFatal });
    const bus = await createEmbeddedMessageBus({ folder: folder.path, clock, onFatal, writer });
    const store = await createEmbeddedOperationalStore({ folder: folder.path, clock, onFatal, writer });
    const jobs = await store.collection<{ id: string }>({ name: 'jobs', indexes: {} });
    const names = await makeNames(bus);
    const { begun } = startRecorder(bus, names);
    await Promise.all([
      bus.produce(names.topic, numbered(10, 10)),
      store.transact([{ kind: 'put', collection: 'jobs', doc: { id: 'a' } }]),
    ]);
    await eventually('all came', () => begun.length === 10);
    expect(await jobs.get('a')).toMatchObject({ revision: 1 });
    await bus.close();
    await store.transact([{ kind: 'put', collection: 'jobs', doc: { id: 'b' } }]);
    await store.close();
    await writer.close();
  });

  it('goes on with a file whose topics have delays, as earlier versions made it, and does not keep to those', async () => {
    const clock = createFakeClock();
    const first = await open(clock);
    const names = await makeNames(first, { partitions: 1 });
    await first.produce(names.topic, numbered(3, 1));
    await first.close();
    const file = new Sqlite(join(folder.path, 'ops.sqlite'));
    file.exec('ALTER TABLE bus_topic ADD COLUMN delay_ms INTEGER NOT NULL DEFAULT 3600000');
    file.close();
    const bus = await open(clock);
    const other = await makeNames(bus);
    expect(await bus.topics()).toEqual(expect.arrayContaining([names.topic, other.topic]));
    const { begun } = startRecorder(bus, names);
    await inTime(clock, 'all came', () => begun.length === 3);
  });

  it('refuses delays that no message can have', async () => {
    const bus = await open(createFakeClock());
    const names = await makeNames(bus);
    for (const delayMs of [-1, 0.5, Number.NaN]) {
      expect(() => startRecorder(bus, names, { delaysMs: new Map([[names.topic, delayMs]]) })).toThrow(RangeError);
    }
  });

  it('refuses names and numbers that no topic can have', async () => {
    const bus = await open(createFakeClock());
    const topic = { name: 'jobs', partitions: 1, retentionMs: 1_000 };
    for (const wrong of [{ name: '' }, { name: 'a b' }, { partitions: 0 }, { retentionMs: 0 }]) {
      await expect(bus.ensureTopics([{ ...topic, ...wrong }])).rejects.toThrow(RangeError);
    }
    expect(await bus.topics()).toEqual([]);
  });
});
