import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FeedRow, releaseFeedProjection } from '../../../projections/release-feed/release-feed.ts';
import { createPastNumbers } from '../../../queries/past/past-numbers.ts';
import { openSampleRegistry, releaseIdOf, type SampleRegistry } from '../../spec/worlds/sample-registry.ts';

let registry: SampleRegistry;
let row: FeedRow;

beforeAll(async () => {
  registry = await openSampleRegistry();
  await registry.addRelease('first', 'blog', { publishedAt: '2026-01-01T00:00:00.000Z' });
  [row] = (await registry.models.of(releaseFeedProjection).get([releaseIdOf('first')])) as [FeedRow];
});
afterAll(() => registry.close());

const monthMs = 31 * 86_400_000;

it('lets others have their turn while it makes the numbers of many releases', async () => {
  const numbers = createPastNumbers();
  for (let month = 0; month < 1_024; month += 1) {
    numbers.add({ ...row, id: `rel_${month}`, publishedMs: Date.UTC(1970) + month * monthMs });
  }
  let pauses = 0;
  const instantsOf = await numbers.instantsOf(async () => {
    pauses += 1;
  });
  // After each 256 of them, and once they are joined.
  expect(pauses).toBe(5);
  expect(instantsOf(row.sourceId)).toBe(instantsOf(row.sourceId));
});
