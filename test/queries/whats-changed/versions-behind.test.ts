import { afterAll, beforeAll, expect, it } from 'vitest';
import { releaseVersionsProjection } from '../../../projections/release-versions/release-versions.ts';
import { whatsChanged } from '../../../queries/whats-changed/whats-changed.ts';
import type { ReadModelSet } from '../../../src/ports/read-models.ts';
import { erased, suppressed } from '../../spec/events/release-events.ts';
import { openSampleRegistry, releaseIdOf, type SampleRegistry, sourceIdOf } from '../../spec/worlds/sample-registry.ts';

const nowMs = Date.parse('2026-03-15T12:00:00.000Z');

/** The same story twice: the second has not heard of its end. */
let ahead: SampleRegistry;
let behind: SampleRegistry;

beforeAll(async () => {
  [ahead, behind] = [await openSampleRegistry(), await openSampleRegistry()];
  for (const { addSource, addRelease, catalogue } of [ahead, behind]) {
    await addSource('demo', null);
    for (const version of ['1', '2', '3']) await addRelease(`v${version}`, 'demo', { version });
    await catalogue.refresh();
  }
  await ahead.record(`release-${releaseIdOf('v1')}`, [suppressed(sourceIdOf('demo'), null)]);
  await ahead.record(`release-${releaseIdOf('v2')}`, [erased(sourceIdOf('demo'))]);
});
afterAll(async () => {
  await ahead.close();
  await behind.close();
});

it('does not tell of a release that was taken down or erased, though its version is still there', async () => {
  const models: ReadModelSet = {
    of: (projection) =>
      projection.name === releaseVersionsProjection.name ? behind.models.of(projection) : ahead.models.of(projection),
  };
  const deps = { models, catalogue: ahead.catalogue, webBaseUrl: 'https://registry.example' };
  const input = { package: 'demo', from: '0', to: '9', ecosystem: null };
  const { entries } = await whatsChanged(deps, input, { nowMs, admin: false });
  expect(entries.map(({ version }) => version)).toEqual(['3']);
});
