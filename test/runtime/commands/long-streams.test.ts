import { cpSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeOrg } from '../../../commands/org/change-org.ts';
import { changeRelease } from '../../../commands/release/change-release.ts';
import { ingestReleases } from '../../../commands/release/ingest-releases.ts';
import { changeSource } from '../../../commands/source/change-source.ts';
import { createEmbeddedOperationalStore } from '../../../src/adapters/embedded/operational-store/operational-store.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import type { ReleaseState } from '../../../src/domain/release/state.ts';
import { release } from '../../../src/domain/release/state.ts';
import { foldEvents } from '../../../src/kernel/model.ts';
import type { EventStore, StreamSlice } from '../../../src/ports/event-store.ts';
import type { OperationalStore } from '../../../src/ports/operational-store.ts';
import {
  createSnapshots,
  type SnapshotRecord,
  type Snapshots,
  snapshotsDeclaration,
} from '../../../src/records/snapshots.ts';
import { createBusyClock } from '../../spec/busy-clock.ts';
import { openInThreadEventStore } from '../../spec/in-thread-event-store.ts';
import { createKeptLog } from '../../spec/kept-log.ts';
import { createTempFolder, type TempFolder } from '../../spec/temp-folder.ts';
import { createTestRunners, requestOf } from '../../spec/worlds/embedded-registry.ts';
import { createTestSource } from '../../spec/worlds/source-world.ts';

const webBaseUrl = 'https://registry.example';
const dayMs = 24 * 3_600_000;
const eventsReadMax = 16;

let folder: TempFolder;
let store: EventStore;
let ops: OperationalStore;
let log: ReturnType<typeof createKeptLog>;
let snapshots: Snapshots;
let sourceId: string;
let nowMs: number;
let lastRequest: number;
const nextRequest = () => (lastRequest += 1);
const clock = { ...systemClock, nowMs: () => nowMs };

beforeEach(async () => {
  folder = createTempFolder();
  store = openInThreadEventStore(folder.path);
  ops = await createEmbeddedOperationalStore({
    folder: folder.path,
    clock,
    onFatal: (error) => {
      throw error;
    },
  });
  log = createKeptLog();
  nowMs = Date.parse('2026-03-01T00:00:00.000Z');
  lastRequest = 1_000;
  snapshots = createSnapshots({ ops, clock, log });
  sourceId = await createTestSource(createTestRunners(store, clock).commands, 'Acme', 100);
});

afterEach(async () => {
  await snapshots.settled();
  await ops.close();
  await store.close();
  folder.remove();
});

const runners = (over: { store?: EventStore; snapshots?: Snapshots | undefined } = {}) => {
  const used = { store, snapshots, ...over };
  return createTestRunners(used.store, clock, used.snapshots);
};

const itemOf = (summary: string) => ({
  title: 'A release',
  version: '1.0.0',
  content: 'Text',
  contentTokens: 1,
  summary,
});

/** Sends the one release of these tests with that summary. */
const ingest = async (summary: string, request = nextRequest(), { batches } = runners()) => {
  const { results } = await batches.run(
    ingestReleases,
    { sourceId, items: [itemOf(summary)], webBaseUrl },
    requestOf(request),
  );
  await snapshots.settled();
  return results[0]!;
};

/** Revises it that many times, ten times in a batch; answers the last summary. */
const revise = async (times: number, { batches } = runners()): Promise<string> => {
  const summaries = Array.from({ length: times }, () => `revised ${nextRequest()}`);
  for (let from = 0; from < times; from += 10) {
    const items = summaries.slice(from, from + 10).map(itemOf);
    await batches.run(ingestReleases, { sourceId, items, webBaseUrl }, requestOf(nextRequest()));
    await snapshots.settled();
  }
  return summaries.at(-1)!;
};

/** A release with so many events. */
const releaseOf = async (events: number): Promise<{ id: string; summary: string }> => {
  const { id } = await ingest('first'); // indexed and announced
  return { id, summary: await revise(events - 2) };
};

const stateOf = async (id: string): Promise<ReleaseState> =>
  foldEvents(release, (await store.read(`release-${id}`)).events);

/** The most events that one decision has read of any stream; asked anew with `next`. */
const watched = () => {
  let counts = new Map<string, number>();
  let most = 0;
  const count = (slice: StreamSlice): StreamSlice => {
    const events = (counts.get(slice.stream) ?? 0) + slice.events.length;
    counts.set(slice.stream, events);
    most = Math.max(most, events);
    return slice;
  };
  const shown: EventStore = {
    ...store,
    read: async (stream, options) => count(await store.read(stream, options)),
    readMany: async (streams, options) => (await store.readMany(streams, options)).map(count),
  };
  return {
    shown,
    most: () => most,
    next: () => {
      counts = new Map();
    },
  };
};

const recordOf = async (stream: string): Promise<SnapshotRecord | undefined> =>
  (await snapshots.find([stream])).get(stream);

const replaceRecord = (doc: SnapshotRecord) =>
  ops.transact([{ kind: 'put', collection: snapshotsDeclaration.name, doc }]);

describe('loading', () => {
  it('reads at most 16 events of a release, however often it was revised', async () => {
    const { shown, most, next } = watched();
    const used = runners({ store: shown });
    await ingest('first', nextRequest(), used);
    for (const stretch of [60, 360]) {
      for (let revision = 0; revision < 40; revision += 1) {
        next();
        await ingest(`${stretch} ${revision}`, nextRequest(), used);
      }
      expect(most()).toBe(eventsReadMax);
      const summary = await revise(stretch);
      next();
      expect((await ingest(summary, nextRequest(), used)).result).toBe('unchanged');
    }
    expect(most()).toBe(eventsReadMax);
  });

  it('reads at most 16 events of what a decision hangs on, and of the names that it claims', async () => {
    const { shown, most, next } = watched();
    const used = runners({ store: shown });
    const { orgId } = (await store.read(`source-${sourceId}`)).events[0]!.data as { orgId: string };
    for (let change = 0; change < 80; change += 1) {
      next();
      const slug = change % 2 === 0 ? 'even' : 'odd';
      await used.commands.run(changeOrg, { orgId, changes: { slug } }, requestOf(nextRequest()));
      await snapshots.settled();
      next();
      const input = { sourceId, changes: { name: `Changelog ${change}` } };
      await used.commands.run(changeSource, input, requestOf(nextRequest()));
      await snapshots.settled();
    }
    expect((await store.read('slug-org:even')).version).toBeGreaterThan(eventsReadMax);
    next();
    const { id } = await ingest('first', nextRequest(), used);
    expect((await store.read(`release-${id}`)).events[1]!.data).toMatchObject({
      release: { org: { slug: 'odd' }, sourceName: 'Changelog 79' },
    });
    expect(most()).toBe(eventsReadMax);
  });

  it('lets others have a turn between the streams of a batch', async () => {
    const versions = ['1.0.0', '2.0.0', '3.0.0'];
    const items = versions.flatMap((version) =>
      Array.from({ length: 20 }, (_, index) => ({ ...itemOf(`${index}`), version })),
    );
    await runners().batches.run(ingestReleases, { sourceId, items, webBaseUrl }, requestOf(nextRequest()));
    await snapshots.settled();
    const busy = createBusyClock();
    const again = items.filter(({ summary }) => summary === '19');
    const { batches } = createTestRunners(store, busy, snapshots);
    await batches.run(ingestReleases, { sourceId, items: again, webBaseUrl }, requestOf(nextRequest()));
    expect(busy.turns()).toBeGreaterThanOrEqual(versions.length);
  });

  it('makes a snapshot anew where there is none, also when nothing is to be stored', async () => {
    const { id, summary } = await releaseOf(130);
    await snapshots.forget([`release-${id}`]);
    expect((await ingest(summary)).result).toBe('unchanged');
    expect((await recordOf(`release-${id}`))?.version).toBe(130);
  });

  it('reads all events page by page where no snapshot fits', async () => {
    const { id, summary } = await releaseOf(130);
    await snapshots.forget([`release-${id}`]);
    let largest = 0;
    const shown: EventStore = {
      ...store,
      read: async (...given) => {
        const slice = await store.read(...given);
        largest = Math.max(largest, slice.events.length);
        return slice;
      },
    };
    expect((await ingest(summary, nextRequest(), runners({ store: shown }))).result).toBe('unchanged');
    expect(largest).toBeLessThanOrEqual(64);
    const input = { releaseId: id, changes: { titleShort: 'Short' }, webBaseUrl };
    const { state } = await runners().commands.run(changeRelease, input, requestOf(nextRequest()));
    expect(state).toEqual(await stateOf(id));
  });

  it('goes on without snapshots where these can be neither read nor saved, and says so', async () => {
    const broken: OperationalStore = { ...ops, transact: () => Promise.reject(new Error('full')) };
    snapshots = createSnapshots({ ops: broken, clock, log });
    const { summary } = await releaseOf(100);
    expect((await ingest(summary)).result).toBe('unchanged');
    expect(log.lines.some(({ sentence }) => sentence === 'a snapshot could not be saved')).toBe(true);
    snapshots = createSnapshots({
      ops: { ...ops, collection: () => Promise.reject(new Error('gone')) },
      clock,
      log,
    });
    expect((await ingest('next')).result).toBe('revised');
    expect(log.lines.some(({ sentence }) => sentence === 'snapshots could not be read')).toBe(true);
  });
});

describe('a snapshot that is not what it should be', () => {
  const flipped = (sealed: string): string => {
    const bytes = Buffer.from(sealed, 'base64');
    bytes[bytes.length - 5]! ^= 1;
    return bytes.toString('base64');
  };

  const cases: { name: string; spoil: (record: SnapshotRecord, other: SnapshotRecord) => SnapshotRecord }[] = [
    { name: 'garbage', spoil: (record) => ({ ...record, sealed: 'what is this' }) },
    { name: 'empty', spoil: (record) => ({ ...record, sealed: '' }) },
    { name: 'plain', spoil: (record) => ({ ...record, sealed: JSON.stringify({ state: { status: 'absent' } }) }) },
    { name: 'damaged', spoil: (record) => ({ ...record, sealed: flipped(record.sealed) }) },
    { name: 'cut', spoil: (record) => ({ ...record, sealed: record.sealed.slice(0, 100) }) },
    { name: 'told to be later', spoil: (record) => ({ ...record, version: record.version + 1 }) },
    { name: 'told to be earlier', spoil: (record) => ({ ...record, version: record.version - 1 }) },
    { name: 'beyond the end', spoil: (record) => ({ ...record, version: 10_000 }) },
    { name: 'without a version', spoil: ({ id, sealed }) => ({ id, sealed }) as SnapshotRecord },
    { name: 'of another release', spoil: (record, other) => ({ ...other, id: record.id }) },
  ];

  it('changes no answer', async () => {
    const { id, summary } = await releaseOf(110);
    const { batches, commands } = runners();
    const twin = Array.from({ length: 100 }, (_, index) => ({ ...itemOf(`twin ${index}`), version: '2.0.0' }));
    const { results } = await batches.run(
      ingestReleases,
      { sourceId, items: twin, webBaseUrl },
      requestOf(nextRequest()),
    );
    await snapshots.settled();
    const other = (await recordOf(`release-${results[0]!.id}`))!;

    for (const { name, spoil } of cases) {
      const spoiled = spoil((await recordOf(`release-${id}`))!, other);
      const before = await stateOf(id);
      if (before.status !== 'indexed') throw new Error(`the release is ${before.status}`);
      await replaceRecord(spoiled);
      expect([name, (await ingest(summary)).result]).toEqual([name, 'unchanged']);
      await replaceRecord(spoiled);
      const input = { releaseId: id, changes: { titleShort: name }, webBaseUrl };
      const { state } = await commands.run(changeRelease, input, requestOf(nextRequest()));
      await snapshots.settled();
      const after = {
        revision: before.revision + 1,
        given: { ...before.given, titleShort: name },
        edits: { ...before.edits, titleShort: [null, null] }, // no fetch had told one
        enriched: [],
      };
      expect([name, state]).toEqual([name, { ...before, ...after }]);
      expect([name, await stateOf(id)]).toEqual([name, state]);
    }
  });

  it('only makes more to read when it is old', async () => {
    const { id } = await releaseOf(60);
    const old = (await recordOf(`release-${id}`))!;
    const summary = await revise(140);
    await replaceRecord(old);
    expect((await ingest(summary)).result).toBe('unchanged');
    expect((await recordOf(`release-${id}`))?.version).toBe(200);
  });

  it('is not used by another version of the fold', async () => {
    const { id } = await releaseOf(100);
    const renewed = { ...release, foldVersion: release.foldVersion + 1 };
    const { shown, most } = watched();
    const { commands } = runners({ store: shown });
    const input = { releaseId: id, changes: { titleShort: 'Short' }, webBaseUrl };
    await commands.run({ ...changeRelease, model: renewed }, input, requestOf(nextRequest()));
    expect(most()).toBeGreaterThan(100);
  });

  it('is not used over other events than it was made of, as after a restored backup', async () => {
    const { id } = await releaseOf(99);
    const backup = createTempFolder();
    cpSync(folder.path, backup.path, { recursive: true });
    await revise(61);
    const lost = (await recordOf(`release-${id}`))!;
    expect(lost.version).toBeGreaterThan(120);
    const restored = openInThreadEventStore(backup.path);
    try {
      const used = runners({ store: restored });
      const summary = await revise(61, used);
      await replaceRecord(lost);
      expect((await ingest(summary, nextRequest(), used)).result).toBe('unchanged');
    } finally {
      await restored.close();
      backup.remove();
    }
  });
});

describe('a repeat', () => {
  it('of a batch answers as the first time, 500 events later', async () => {
    const first = await ingest('first', 1);
    const second = await ingest('second', 2);
    await revise(500);
    const head = await store.head();
    expect(await ingest('first', 1)).toEqual(first);
    expect(await ingest('second', 2)).toEqual(second);
    await snapshots.forget([`release-${first.id}`]);
    expect(await ingest('second', 2)).toEqual(second);
    expect(await store.head()).toBe(head);
    expect([first.result, second.result]).toEqual(['inserted', 'revised']);
  });

  it('of a command answers as the first time, 500 events later and nearly a day on', async () => {
    const { id } = await releaseOf(20);
    const input = { releaseId: id, changes: { titleShort: 'Short' }, webBaseUrl };
    const first = await runners().commands.run(changeRelease, input, requestOf(1));
    for (let hour = 0; hour < 23; hour += 1) {
      nowMs += dayMs / 24;
      await revise(22);
    }
    const head = await store.head();
    const again = await runners().commands.run(changeRelease, input, requestOf(1));
    expect(again).toMatchObject({ id, position: first.position, state: first.state, repeated: true });
    expect(await store.head()).toBe(head);
  });

  it('is remembered by snapshots for a day, and not for ever', async () => {
    const { id } = await ingest('first');
    for (let event = 0; event < 60; event += 1) await ingest(`${event}`);
    const sizeOf = async () => (await recordOf(`release-${id}`))!.sealed.length;
    const before = await sizeOf();
    nowMs += 2 * dayMs;
    await revise(100);
    expect(await sizeOf()).toBeLessThan(before);
  });
});
