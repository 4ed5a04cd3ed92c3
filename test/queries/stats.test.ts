import { afterAll, beforeAll, expect, it } from 'vitest';
import { stats } from '../../queries/stats.ts';
import { createFetchTimes } from '../../src/records/fetch-times.ts';
import { sourceCreated } from '../spec/events/entity-events.ts';
import { indexed } from '../spec/events/release-events.ts';
import { openSampleRegistry, releaseIdOf, type SampleRegistry, sourceIdOf } from '../spec/worlds/sample-registry.ts';

const nowMs = Date.parse('2026-03-15T12:00:00.000Z');
const names = Array.from({ length: 503 }, (_, number) => `s${String(number).padStart(3, '0')}`);
/** The last by name, of which one is the most active. */
const active = { s502: 2, s501: 1, s250: 1 };

let registry: SampleRegistry;
beforeAll(async () => {
  registry = await openSampleRegistry();
  await registry.recordMany(
    names.map((name) => [`source-${sourceIdOf(name)}`, [sourceCreated({ orgId: null, slug: name, name })]] as const),
  );
  const publishedAt = '2026-03-14T00:00:00.000Z';
  const releases = Object.entries(active).flatMap(([name, count]) =>
    Array.from({ length: count }, (_, number) => {
      const stream = `release-${releaseIdOf(`${name}n${number}`)}`;
      return [stream, [indexed(sourceIdOf(name), { publishedAt })]] as const;
    }),
  );
  await registry.recordMany(releases);
  await registry.catalogue.refresh();
});
afterAll(() => registry.close());

it('counts all sources and tells of the 500 most active, by name among equals', async () => {
  const { catalogue } = registry;
  const deps = { catalogue, lastFetches: async () => createFetchTimes().reads, newestFetches: async () => [] };
  const { sources, sourceActivity } = await stats(deps, { days: 30 }, { nowMs });
  expect(sources).toBe(503);
  const quiet = names.filter((name) => !(name in active));
  expect(sourceActivity.map(({ sourceName }) => sourceName)).toEqual(['s502', 's250', 's501', ...quiet.slice(0, 497)]);
});
