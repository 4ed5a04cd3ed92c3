import { afterEach, beforeEach, expect, it } from 'vitest';
import { changeOrg } from '../../../commands/org/change-org.ts';
import { changeRelease } from '../../../commands/release/change-release.ts';
import { ingestReleases } from '../../../commands/release/ingest-releases.ts';
import { changeSource } from '../../../commands/source/change-source.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import type { OperationalStore } from '../../../src/ports/operational-store.ts';
import { createSnapshots } from '../../../src/records/snapshots.ts';
import { createBusyClock } from '../../spec/busy-clock.ts';
import { createTestRunners, requestOf } from '../../spec/worlds/embedded-registry.ts';
import {
  itemOf,
  openRevisedRelease,
  type RevisedRelease,
  watchReads,
  webBaseUrl,
} from '../../spec/streams/revised-release.ts';

const eventsReadMax = 16;

let world: RevisedRelease;
beforeEach(async () => {
  world = await openRevisedRelease();
});
afterEach(() => world.close());

it('a decision reads at most 16 events of a release, however often it was revised', async () => {
  const { store, nextRequest, runners, ingest, revise } = world;
  const { shown, most, next } = watchReads(store);
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

it('and of what it hangs on, and of the names that it claims', async () => {
  const { store, snapshots, sourceId, nextRequest, runners, ingest } = world;
  const { shown, most, next } = watchReads(store);
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

it('others have a turn between the streams of a batch', async () => {
  const { store, snapshots, sourceId, nextRequest, runners } = world;
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

it('of a large batch the streams are read some at a time, and all of them', async () => {
  const { store, sourceId, nextRequest, runners } = world;
  const items = Array.from({ length: 50 }, (_, number) => ({ ...itemOf('first'), version: `1.${number}.0` }));
  const input = { sourceId, items, webBaseUrl };
  await runners().batches.run(ingestReleases, input, requestOf(nextRequest()));
  let most = 0;
  const shown: EventStore = {
    ...store,
    readMany: (streams, options) => {
      most = Math.max(most, streams.length);
      return store.readMany(streams, options);
    },
  };
  const { results } = await runners({ store: shown }).batches.run(ingestReleases, input, requestOf(nextRequest()));
  expect(results.map(({ result }) => result)).toEqual(items.map(() => 'unchanged'));
  expect(most).toBeLessThanOrEqual(20);
});

it('a snapshot is made anew where there is none, also when nothing is to be stored', async () => {
  const { snapshots, ingest, releaseOf, recordOf } = world;
  const { id, summary } = await releaseOf(130);
  await snapshots.forget([`release-${id}`]);
  expect((await ingest(summary)).result).toBe('unchanged');
  expect((await recordOf(`release-${id}`))?.version).toBe(130);
});

it('all events are read page by page where no snapshot fits', async () => {
  const { store, snapshots, nextRequest, runners, ingest, releaseOf, stateOf } = world;
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

it('decisions go on without snapshots where these can be neither read nor saved, and says so', async () => {
  const { ops, clock, log, nextRequest, runners, ingest, releaseOf } = world;
  const withStore = (broken: Partial<OperationalStore>) =>
    runners({ snapshots: createSnapshots({ ops: { ...ops, ...broken }, clock, log }) });
  const isSaid = (told: string) => log.lines.some(({ sentence }) => sentence === told);
  const full = withStore({ transact: () => Promise.reject(new Error('full')) });
  const { summary } = await releaseOf(100, full);
  expect((await ingest(summary, nextRequest(), full)).result).toBe('unchanged');
  expect(isSaid('a snapshot could not be saved')).toBe(true);
  const gone = withStore({ collection: () => Promise.reject(new Error('gone')) });
  expect((await ingest('next', nextRequest(), gone)).result).toBe('revised');
  expect(isSaid('snapshots could not be read')).toBe(true);
});
