import { afterAll, beforeAll, expect, it } from 'vitest';
import { releaseFeedProjection } from '../../../projections/release-feed/release-feed.ts';
import { fullReleaseItems, releaseItems } from '../../../queries/shape/release/release-items.ts';
import { publicSight } from '../../../src/catalogue/visibility.ts';
import { openSampleRegistry, releaseIdOf, type SampleRegistry } from '../../spec/worlds/sample-registry.ts';

let registry: SampleRegistry;

beforeAll(async () => {
  registry = await openSampleRegistry();
  const { addSource, addRelease, catalogue } = registry;
  await addSource('known', null);
  await addRelease('shown', 'known');
  await catalogue.refresh();
  // The catalogue is at another moment than the rows, as when a source is purged in the middle of a request.
  await addSource('unknown', null);
  await addRelease('left', 'unknown');
});
afterAll(() => registry.close());

it('a release whose source is not known any more is left out', async () => {
  const { models, catalogue } = registry;
  const deps = { models, catalogue, webBaseUrl: 'https://registry.example' };
  const rows = await models.of(releaseFeedProjection).get(['shown', 'left'].map(releaseIdOf));
  expect(rows).toHaveLength(2);
  const seen = { rows, sight: publicSight, nowMs: Date.parse('2026-03-15T12:00:00.000Z') };
  for (const items of [await releaseItems(deps, seen), await fullReleaseItems(deps, seen)]) {
    expect(items.map(({ id }) => id)).toEqual([releaseIdOf('shown')]);
  }
});
