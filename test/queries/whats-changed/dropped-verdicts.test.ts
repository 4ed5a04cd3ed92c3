import { afterAll, beforeAll, expect, it } from 'vitest';
import { whatsChanged } from '../../../queries/whats-changed/whats-changed.ts';
import type { Breaking } from '../../../src/domain/enumerations.ts';
import { linked, suppressed } from '../../spec/events/release-events.ts';
import { openSampleRegistry, releaseIdOf, type SampleRegistry, sourceIdOf } from '../../spec/worlds/sample-registry.ts';

const nowMs = Date.parse('2026-03-15T12:00:00.000Z');
const day = (number: number) => `2026-03-${String(number).padStart(2, '0')}T00:00:00.000Z`;
/** With these an entry takes 5,000 tokens and a little: three fit. */
const migrationNotes = 'c'.repeat(20_000);

let registry: SampleRegistry;

beforeAll(async () => {
  registry = await openSampleRegistry();
  await registry.addOrg('acme');
});
afterAll(() => registry.close());

interface Told {
  readonly version: string;
  readonly breaking: Breaking;
  readonly publishedAt?: string;
}

/** The oldest first, a day after the other. */
const addSource = async (source: string, releases: readonly Told[]) => {
  await registry.addSource(source, 'acme');
  for (const [index, given] of releases.entries()) {
    await registry.addRelease(`${source}${index}`, source, { publishedAt: day(index + 1), migrationNotes, ...given });
  }
  await registry.catalogue.refresh();
};

const ask = async (name: string, from = '0', to = '999') => {
  const deps = { ...registry, webBaseUrl: 'https://registry.example' };
  return whatsChanged(deps, { package: name, from, to, ecosystem: null }, { nowMs, admin: false });
};

const versions = (...verdicts: readonly Breaking[]): Told[] =>
  verdicts.map((breaking, index) => ({ version: `1.${index}`, breaking }));

it.each<[Breaking, readonly Breaking[]]>([
  ['major', ['major', 'minor', 'none', 'none', 'none']],
  ['minor', ['minor', 'unknown', 'none', 'none', 'none']],
  ['unknown', ['none', 'unknown', 'none', 'none', 'none']],
  ['none', ['none', 'none', 'none', 'none', 'none']],
  ['major', ['minor', 'none', 'none', 'major', 'none']],
])('%s is the strongest verdict of %j, of which three are shown', async (strongest, verdicts) => {
  const source = `of-${strongest}-${verdicts.indexOf(strongest)}`;
  await addSource(source, versions(...verdicts));
  expect(await ask(source)).toMatchObject({ count: 3, truncated: true, breaking: strongest });
});

it('outside of the range, taken down, covering or lying ahead does not count', async () => {
  const ahead = { version: '1.9', breaking: 'major' as const, publishedAt: day(25) };
  await addSource('beside', [...versions('major', 'major', 'major', 'none', 'none', 'none', 'none', 'major'), ahead]);
  const taken = suppressed(sourceIdOf('beside'), day(10));
  await registry.record(`release-${releaseIdOf('beside1')}`, [taken]);
  const covering = linked(sourceIdOf('beside'), day(10), releaseIdOf('beside3'));
  await registry.record(`release-${releaseIdOf('beside2')}`, [covering]);
  await registry.catalogue.refresh();
  expect(await ask('beside', '1.0', '1.6')).toMatchObject({ count: 3, truncated: true, breaking: 'none' });
  expect(await ask('beside', '1.0', '1.8')).toMatchObject({ truncated: true, breaking: 'major' });
});

it('of another package of the source does not count', async () => {
  const others = versions('none', 'none', 'none', 'none').map((told) => ({ ...told, version: `own@${told.version}` }));
  await addSource('own', [{ version: 'other@1.0', breaking: 'major' }, ...others]);
  expect(await ask('own')).toMatchObject({ count: 3, truncated: true, breaking: 'none' });
  expect(await ask(sourceIdOf('own'))).toMatchObject({ count: 3, truncated: true, breaking: 'major' }); // of all names
});

it('between dates is the strongest, too', async () => {
  const named = ['zero', 'one', 'two', 'three', 'four', 'five'];
  const verdicts = ['major', 'minor', 'none', 'none', 'none', 'major'] as const;
  await addSource(
    'dated',
    named.map((version, index) => ({ version, breaking: verdicts[index]! })),
  );
  const within = { rangeBasis: 'date', count: 3, truncated: true };
  expect(await ask('dated', 'zero', 'four')).toMatchObject({ ...within, breaking: 'minor' });
  expect(await ask('dated', 'one', 'five')).toMatchObject({ ...within, breaking: 'major' });
});
