import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeRelease } from '../../../commands/release/change-release.ts';
import { dateRelease } from '../../../commands/release/date-release.ts';
import { ingestReleases } from '../../../commands/release/ingest-releases.ts';
import { changeSource } from '../../../commands/source/change-source.ts';
import { type PendingRow, pendingProjection } from '../../../projections/pending/pending.ts';
import { createEmbeddedOperationalStore } from '../../../src/adapters/embedded/operational-store/operational-store.ts';
import { createEmbeddedReadModels } from '../../../src/adapters/embedded/read-models/read-models.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import type { OperationalStore } from '../../../src/ports/operational-store.ts';
import type { ReadModel, ReadModels } from '../../../src/ports/read-models.ts';
import { dateDueReleases, startDueDates } from '../../../src/runtime/jobs/due-dates.ts';
import type { MinuteJob } from '../../../src/runtime/jobs/every-minute.ts';
import { createProjectionTarget, type ProjectionTarget } from '../../../src/runtime/projector/projection-target.ts';
import { createTestRunners, requestOf } from '../../spec/worlds/embedded-registry.ts';
import { eventually } from '../../spec/eventually.ts';
import { createFakeClock, type FakeClock } from '../../spec/fake-clock.ts';
import { openInThreadEventStore } from '../../spec/in-thread-event-store.ts';
import { createKeptLog } from '../../spec/kept-log.ts';
import { createTestSource } from '../../spec/worlds/source-world.ts';
import { createTempFolder, type TempFolder } from '../../spec/temp-folder.ts';

const webBaseUrl = 'https://registry.example';
const startMs = Date.UTC(2030, 0, 1);
const hourMs = 3_600_000;
const at = (hours: number): string => new Date(startMs + hours * hourMs).toISOString();

let folder: TempFolder;
let clock: FakeClock;
let store: EventStore;
let other: EventStore;
let ops: OperationalStore;
let readModels: ReadModels;
let pending: ProjectionTarget;
let model: ReadModel<PendingRow>;
let sourceId: string;
let running: MinuteJob[];
let log: ReturnType<typeof createKeptLog>;
let lastRequest = 100;
const nextRequest = () => requestOf((lastRequest += 1));

beforeEach(async () => {
  folder = createTempFolder();
  clock = createFakeClock(startMs);
  log = createKeptLog();
  running = [];
  store = openInThreadEventStore(folder.path);
  other = openInThreadEventStore(folder.path);
  ops = await createEmbeddedOperationalStore({
    folder: folder.path,
    clock,
    onFatal: (error) => {
      throw error;
    },
  });
  readModels = await createEmbeddedReadModels({ folder: folder.path, clock });
  model = await readModels.open(pendingProjection);
  const lease = await model.leases.acquire('feed', 'test', 1_000 * hourMs);
  pending = await createProjectionTarget(pendingProjection, model, lease!);
  sourceId = await createTestSource(createTestRunners(store, clock).commands, 'Acme', 1);
});

afterEach(async () => {
  for (const scheduler of running) await scheduler.close();
  await readModels.close();
  await ops.close();
  await other.close();
  await store.close();
  folder.remove();
});

const follow = async (): Promise<void> =>
  pending.feed(await store.readAll({ afterPosition: pending.checkpoint(), limit: 10_000 }));

const ingest = async (dates: readonly string[]): Promise<string[]> => {
  const items = dates.map((publishedAt, index) => ({
    title: `Release ${index}`,
    version: `${lastRequest}.${index}.0`,
    publishedAt,
  }));
  const { batches } = createTestRunners(store, clock);
  const { results } = await batches.run(ingestReleases, { sourceId, items, webBaseUrl }, nextRequest());
  await follow();
  return results.map(({ id }) => id);
};

const dating = (through: EventStore) => {
  const { commands } = createTestRunners(through, { ...clock, sleep: async () => {} });
  return async (releaseId: string): Promise<void> => {
    await commands.run(dateRelease, { releaseId, webBaseUrl }, nextRequest());
  };
};

const look = async (through = store): Promise<number> =>
  dateDueReleases({ clock, pending: async () => model, dateRelease: dating(through) });

const start = (over: { holder?: string; dateRelease?: (releaseId: string) => Promise<void> } = {}): MinuteJob => {
  const scheduler = startDueDates({
    ops,
    clock,
    log,
    holder: 'a',
    pending: async () => model,
    dateRelease: dating(store),
    ...over,
  });
  running.push(scheduler);
  return scheduler;
};

const later = async (id: string): Promise<string[]> =>
  (await store.read(`release-${id}`)).events.slice(1).map(({ type }) => type);

const announced = ['ReleaseDated.v1', 'ReleaseAnnounced.v1'];

describe('dates that come', () => {
  it('date and announce a release when its time comes, a minute early, and once', async () => {
    const [id = ''] = await ingest([at(24)]);
    clock.advance(24 * hourMs - 60_001);
    expect(await look()).toBe(0);
    expect(await later(id)).toEqual([]);
    clock.advance(1);
    expect(await look()).toBe(1);
    expect(await later(id)).toEqual(announced);
    expect(await look()).toBe(1); // the read model has not followed yet
    await follow();
    expect(await look()).toBe(0);
    expect(await later(id)).toEqual(announced);
  });

  it('waive the announcement of a release whose source is hidden by then', async () => {
    const [id = ''] = await ingest([at(24)]);
    const hiding = { sourceId, changes: { isHidden: true } };
    await createTestRunners(store, clock).commands.run(changeSource, hiding, nextRequest());
    clock.advance(24 * hourMs);
    await look();
    expect(await later(id)).toEqual(['ReleaseDated.v1', 'AnnouncementWaived.v1']);
  });

  it('follow a date that was moved, also when the read model has not heard of it', async () => {
    const [id = ''] = await ingest([at(24)]);
    const change = (publishedAt: string) =>
      createTestRunners(store, clock).commands.run(
        changeRelease,
        { releaseId: id, changes: { publishedAt }, webBaseUrl },
        nextRequest(),
      );
    await change(at(48));
    clock.advance(24 * hourMs);
    expect(await look()).toBe(1);
    expect(await later(id)).toEqual(['ReleaseRevised.v1']);
    await follow();
    expect(await look()).toBe(0);
    clock.advance(24 * hourMs);
    expect(await look()).toBe(1);
    expect(await later(id)).toEqual(['ReleaseRevised.v1', ...announced]);
  });

  it('are all seen when more are due than one step takes, many of them at the same moment', async () => {
    const ids = await ingest(Array.from({ length: 450 }, (_, index) => at(index < 300 ? 24 : 23)));
    clock.advance(24 * hourMs);
    expect(await look()).toBe(450);
    for (const id of ids) expect(await later(id)).toEqual(announced);
  });

  it('give one announcement when two processes look at once', async () => {
    const ids = await ingest(Array.from({ length: 30 }, () => at(24)));
    clock.advance(24 * hourMs);
    await Promise.all([look(store), look(other)]);
    for (const id of ids) expect(await later(id)).toEqual(announced);
  });
});

describe('the minute scheduler', () => {
  const allDated = (ids: readonly string[]) => async () =>
    (await Promise.all(ids.map(later))).every((types) => types.length > 0);

  it('looks at its start and then every minute, and gives its lease back in between', async () => {
    const [first = '', second = ''] = await ingest([at(0.5), at(1)]);
    clock.advance(0.5 * hourMs);
    start({ holder: 'a' });
    await eventually('the first is dated', allDated([first]));
    await eventually('the lease is free', async () => {
      const lease = await ops.leases.acquire('due-dates', 'test', 1);
      if (lease !== null) await ops.leases.release(lease);
      return lease !== null;
    });
    expect(await later(second)).toEqual([]);
    clock.advance(0.5 * hourMs);
    await eventually('the second is dated', allDated([second]));
  });

  it('announces once though two of them run', async () => {
    start({ holder: 'a' });
    start({ holder: 'b', dateRelease: dating(other) });
    const ids = await ingest(Array.from({ length: 20 }, () => at(1)));
    clock.advance(hourMs);
    await eventually('all are dated', async () => {
      clock.advance(60_000); // whoever found the lease taken looks again a minute later
      return allDated(ids)();
    });
    for (const scheduler of running) await scheduler.close();
    for (const id of ids) expect(await later(id)).toEqual(announced);
  });

  it('goes on after a release that cannot be dated, tells of it and tries it again a minute later', async () => {
    const ids = await ingest([at(1), at(1), at(1)]);
    const [bad = '', ...good] = [...ids].sort(); // due at once, they come in the order of their ids
    clock.advance(hourMs);
    let isMended = false;
    const date = dating(store);
    start({
      dateRelease: async (releaseId) => {
        if (releaseId === bad && !isMended) throw new Error('its body is damaged');
        await date(releaseId);
      },
    });
    await eventually('the others are dated', allDated(good));
    expect(await later(bad)).toEqual([]);
    expect(log.lines).toContainEqual({ level: 'error', sentence: 'a release that is due could not be dated' });
    isMended = true;
    await eventually('it is dated too', async () => {
      clock.advance(60_000);
      return allDated([bad])();
    });
  });

  it('survives a store that fails for a while', async () => {
    const ids = await ingest([at(1)]);
    clock.advance(hourMs);
    let failures = 2;
    const scheduler = startDueDates({
      ops,
      clock,
      log,
      holder: 'a',
      pending: async () => {
        if ((failures -= 1) >= 0) throw new Error('not now');
        return model;
      },
      dateRelease: dating(store),
    });
    running.push(scheduler);
    await eventually('it is dated', async () => {
      clock.advance(60_000);
      return allDated(ids)();
    });
    expect(log.lines.filter(({ level }) => level === 'error')).toHaveLength(2);
  });

  it('stops between two releases when it is closed', async () => {
    await ingest(Array.from({ length: 50 }, () => at(1)));
    clock.advance(hourMs);
    const seen: string[] = [];
    const scheduler: MinuteJob = start({
      dateRelease: async (releaseId) => {
        seen.push(releaseId);
        if (seen.length === 3) void scheduler.close();
      },
    });
    await scheduler.done;
    expect(seen).toHaveLength(3);
  });
});
