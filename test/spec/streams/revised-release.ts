import { ingestReleases } from '../../../commands/release/ingest-releases.ts';
import { createEmbeddedOperationalStore } from '../../../src/adapters/embedded/operational-store/operational-store.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { release, type ReleaseState } from '../../../src/domain/release/state.ts';
import { foldEvents } from '../../../src/kernel/model.ts';
import type { EventStore, StreamSlice } from '../../../src/ports/event-store.ts';
import {
  createSnapshots,
  type SnapshotRecord,
  type Snapshots,
  snapshotsDeclaration,
} from '../../../src/records/snapshots.ts';
import { openInThreadEventStore } from '../in-thread-event-store.ts';
import { createKeptLog } from '../kept-log.ts';
import { createTempFolder } from '../temp-folder.ts';
import { createTestRunners, requestOf } from '../worlds/embedded-registry.ts';
import { createTestSource } from '../worlds/source-world.ts';

export const webBaseUrl = 'https://registry.example';

export const itemOf = (summary: string) => ({
  title: 'A release',
  version: '1.0.0',
  content: 'Text',
  contentTokens: 1,
  summary,
});

/** One release that is revised over and over, with what decisions about it read and keep. */
export const openRevisedRelease = async () => {
  const folder = createTempFolder();
  const store = openInThreadEventStore(folder.path);
  let nowMs = Date.parse('2026-03-01T00:00:00.000Z');
  const clock = { ...systemClock, nowMs: () => nowMs };
  const ops = await createEmbeddedOperationalStore({
    folder: folder.path,
    clock,
    onFatal: (error) => {
      throw error;
    },
  });
  const log = createKeptLog();
  const snapshots = createSnapshots({ ops, clock, log });
  const sourceId = await createTestSource(createTestRunners(store, clock).commands, 'Acme', 100);
  let lastRequest = 1_000;
  const nextRequest = () => (lastRequest += 1);

  const runners = (over: { store?: EventStore; snapshots?: Snapshots } = {}) => {
    const used = { store, snapshots, ...over };
    return { ...createTestRunners(used.store, clock, used.snapshots), settled: used.snapshots.settled };
  };

  /** Sends the one release of these tests with that summary. */
  const ingest = async (summary: string, request = nextRequest(), { batches, settled } = runners()) => {
    const { results } = await batches.run(
      ingestReleases,
      { sourceId, items: [itemOf(summary)], webBaseUrl },
      requestOf(request),
    );
    await settled();
    return results[0]!;
  };

  /** Revises it that many times, ten times in a batch; answers the last summary. */
  const revise = async (times: number, { batches, settled } = runners()): Promise<string> => {
    const summaries = Array.from({ length: times }, () => `revised ${nextRequest()}`);
    for (let from = 0; from < times; from += 10) {
      const items = summaries.slice(from, from + 10).map(itemOf);
      await batches.run(ingestReleases, { sourceId, items, webBaseUrl }, requestOf(nextRequest()));
      await settled();
    }
    return summaries.at(-1)!;
  };

  return {
    folder,
    store,
    ops,
    clock,
    log,
    snapshots,
    sourceId,
    nextRequest,
    runners,
    ingest,
    revise,
    pass: (ms: number) => {
      nowMs += ms;
    },
    /** A release with so many events. */
    releaseOf: async (events: number, used = runners()): Promise<{ id: string; summary: string }> => {
      const { id } = await ingest('first', nextRequest(), used); // indexed and announced
      return { id, summary: await revise(events - 2, used) };
    },
    stateOf: async (id: string): Promise<ReleaseState> =>
      foldEvents(release, (await store.read(`release-${id}`)).events),
    recordOf: async (stream: string): Promise<SnapshotRecord | undefined> =>
      (await snapshots.find([stream])).get(stream),
    replaceRecord: (doc: SnapshotRecord) => ops.transact([{ kind: 'put', collection: snapshotsDeclaration.name, doc }]),
    close: async () => {
      await snapshots.settled();
      await ops.close();
      await store.close();
      folder.remove();
    },
  };
};

export type RevisedRelease = Awaited<ReturnType<typeof openRevisedRelease>>;

/** The most events that one decision has read of any stream; asked anew with `next`. */
export const watchReads = (store: EventStore) => {
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
