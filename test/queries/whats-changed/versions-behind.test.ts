import { afterAll, beforeAll, expect, it } from 'vitest';
import { releaseVersionsProjection } from '../../../projections/release-versions/release-versions.ts';
import { whatsChanged } from '../../../queries/whats-changed/whats-changed.ts';
import type { ReadModelSet } from '../../../src/ports/read-models.ts';
import { erased, revised, suppressed } from '../../spec/events/release-events.ts';
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
    await addSource('judged', null);
    const notes = { migrationNotes: 'x'.repeat(20_000), breaking: 'none' as const }; // so that three have room
    await addRelease('j0', 'judged', { version: '0.5', ...notes, breaking: 'major' });
    for (const version of ['1', '2', '3']) await addRelease(`j${version}`, 'judged', { version, ...notes });
    await catalogue.refresh();
  }
  await ahead.record(`release-${releaseIdOf('j0')}`, [revised(sourceIdOf('judged'), { breaking: 'none' })]);
  await ahead.record(`release-${releaseIdOf('v1')}`, [suppressed(sourceIdOf('demo'), null)]);
  await ahead.record(`release-${releaseIdOf('v2')}`, [erased(sourceIdOf('demo'))]);
});
afterAll(async () => {
  await ahead.close();
  await behind.close();
});

const ask = (name: string) => {
  const models: ReadModelSet = {
    of: (projection) =>
      projection.name === releaseVersionsProjection.name ? behind.models.of(projection) : ahead.models.of(projection),
  };
  const deps = { models, catalogue: ahead.catalogue, webBaseUrl: 'https://registry.example' };
  return whatsChanged(deps, { package: name, from: '0', to: '9', ecosystem: null }, { nowMs, admin: false });
};

it('does not tell of a release that was taken down or erased, though its version is still there', async () => {
  const { entries } = await ask('demo');
  expect(entries.map(({ version }) => version)).toEqual(['3']);
});

it('does not tell the verdict that a release had before', async () => {
  expect(await ask('judged')).toMatchObject({ truncated: true, breaking: 'none' });
});
