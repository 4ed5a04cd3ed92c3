import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOrg } from '../../commands/org/create-org.ts';
import { createProduct } from '../../commands/product/create-product.ts';
import { ingestReleases } from '../../commands/release/ingest-releases.ts';
import { createSource } from '../../commands/source/create-source.ts';
import type { RecordedEvent } from '../../src/kernel/event.ts';
import type { EventStore } from '../../src/ports/event-store.ts';
import { compareWithNaive } from '../spec/compare/compare-with-naive.ts';
import { createFakeClock } from '../spec/fake-clock.ts';
import { openInThreadEventStore } from '../spec/in-thread-event-store.ts';
import { naiveRegistry } from '../spec/naive/naive-registry.ts';
import { naiveView } from '../spec/naive/naive-view.ts';
import { createSeeded } from '../spec/seeded.ts';
import type { TempFolder } from '../spec/temp-folder.ts';
import { createTestRunners, requestOf } from '../spec/worlds/embedded-registry.ts';
import { createEmptyDataFolder, type FollowedRegistry, followRegistry } from '../spec/worlds/followed-registry.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Around the ends of a year, of months, and of the February of a leap year; the last ones are still to come. */
const dates = [
  '2027-03-05T12:00:00.000Z',
  '2027-12-31T23:59:59.999Z',
  '2028-01-01T00:00:00.000Z',
  '2028-01-31T23:59:59.999Z',
  '2028-02-01T00:00:00.000Z',
  '2028-02-28T23:59:59.999Z',
  '2028-02-29T00:00:00.000Z',
  '2028-02-29T23:59:59.999Z',
  '2028-03-01T00:00:00.000Z',
  '2028-03-31T23:59:59.999Z',
  '2028-04-01T00:00:00.000Z',
];
const writtenMs = Date.UTC(2028, 2, 2);

const datesMs = dates.map((date) => Date.parse(date));

/** Each edge from both sides. */
const around = (edgeMs: number): number[] => [edgeMs - 1, edgeMs, edgeMs + 1];

const midnights = (from: string, days: number): number[] =>
  Array.from({ length: days }, (_, day) => Date.parse(from) + day * dayMs);

const walks: Readonly<Record<string, readonly number[]>> = {
  'every midnight of two weeks': midnights('2028-03-20', 14),
  'the moment at which a release is no longer to come': datesMs.slice(-2).map((ms) => ms - minuteMs),
  'the moment at which it is 30 days old': datesMs.map((ms) => ms + 30 * dayMs),
  'the ends of windows of 90 and 180 days': datesMs.flatMap((ms) => [ms + 90 * dayMs, ms + 180 * dayMs]),
  'the end of the year of a heatmap': datesMs.map((ms) => ms + 364 * dayMs),
  'the next 29 February and the days around it': midnights('2032-02-28', 3),
};

let folder: TempFolder;
let store: EventStore;
let followed: FollowedRegistry;
let log: readonly RecordedEvent[];

beforeAll(async () => {
  folder = await createEmptyDataFolder();
  const clock = createFakeClock(writtenMs);
  store = openInThreadEventStore(folder.path);
  followed = await followRegistry(folder.path, store, clock);
  const { commands, batches } = createTestRunners(store, clock);
  const org = await commands.run(createOrg, { name: 'Rockets' }, requestOf(1));
  const product = await commands.run(createProduct, { orgId: org.id, name: 'Engine' }, requestOf(2));
  const parents = [
    { orgId: org.id, productId: product.id },
    { orgId: null, productId: null },
  ];
  for (const [number, parent] of parents.entries()) {
    const described = { name: `Source ${number}`, type: 'feed', url: `https://example.com/${number}` };
    const source = await commands.run(createSource, { ...parent, ...described }, requestOf(10 + number));
    const items = dates.map((publishedAt, index) => ({
      title: `Release ${index}`,
      version: index % 3 === 2 ? `1.${index}.0-beta.1` : `1.${index}.0`,
      publishedAt,
      contentTokens: 0,
    }));
    const input = { sourceId: source.id, items, webBaseUrl: 'https://registry.example' };
    await batches.run(ingestReleases, input, requestOf(20 + number));
  }
  await followed.follow(createSeeded(1));
  await followed.live.catalogue.refresh();
  ({ events: log } = await store.readAll({ afterPosition: 0, limit: 10_000 }));
});

afterAll(async () => {
  await followed.close();
  await store.close();
  folder.remove();
});

test.each(Object.entries(walks))('what readers see is what the events say at %s', async (_, edges) => {
  const registry = naiveRegistry(log);
  expect(registry.releases).toHaveLength(2 * dates.length);
  for (const nowMs of edges.flatMap(around)) {
    const random = createSeeded(nowMs % 1_000_003);
    try {
      await compareWithNaive({ reading: followed.live, view: naiveView(registry, nowMs), random, log });
    } catch (error) {
      throw new Error(`at ${new Date(nowMs).toISOString()}: ${String(error)}`, { cause: error });
    }
  }
});
