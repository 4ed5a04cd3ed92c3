import type { Seeded } from '../seeded.ts';
import { randomDate } from './release-dates.ts';

// Few of each, so that the same release is sent again and again. Some titles hold a date of their own.
const titles = ['Fixes', 'Faster rockets', 'Notes of 2029-12-31', 'January 2030 update', 'April 2030 update', 'News'];
const plainVersions = ['1.0.0', 'v1.0.0', '1.1.0', '1.1.1', '2.0.0-beta.1', '2.0.0-rc.1', '2.0.0', '3.0.0-alpha'];
// Some begin with a name that a source or a package has, or hold no version.
export const historyVersions = [...plainVersions, 'core@1.1.0', 'acme-v1.2', '@acme/rocket@1.3.0', 'June', 'July'];
const versions = [...plainVersions, ...historyVersions, 'latest'];
const contents = [
  '',
  'They no longer fall over.',
  '## Breaking changes\n- The old engine is gone\n\n## Fixes\n- Less noise\n- Less smoke\n',
  '## Added\n- Wings — für alle 🚀\n\n## How to migrate\nPut them on.\n',
];

const large = (random: Seeded): string => `# Long\n${`${random.int(0, 9)} "quoted" – line 🚀\n`.repeat(12_000)}`;

const randomContent = (random: Seeded): string => (random.chance(1) ? large(random) : random.pick(contents));

/** With the count that the text needs: any number will do, as nobody counts again. */
const counted = (content: string) => ({ content, contentTokens: Math.ceil(content.length / 4) });

const maybe = <Field>(random: Seeded, percent: number, field: () => Field): Field | object =>
  random.chance(percent) ? field() : {};

/** Fields that somebody may leave out, give, or take back with null. */
const optionalFields = (random: Seeded, nowMs: number, usedDates: readonly string[]) => ({
  ...maybe(random, 75, () => ({ publishedAt: random.chance(8) ? null : randomDate(random, nowMs, usedDates) })),
  ...maybe(random, 15, () => ({ prerelease: random.pick([true, false, null]) })),
  ...maybe(random, 10, () => ({ importance: random.pick([1, 3, 5, null]) })),
  ...maybe(random, 10, () => ({ summary: random.pick(['In short.', null]) })),
  ...maybe(random, 5, () => ({ titleShort: random.pick(['Short', null]) })),
  ...maybe(random, 5, () => ({ breaking: random.pick(['major', 'none', null]) })),
  ...maybe(random, 5, () => ({ type: random.pick(['rollup', 'feature', null]) })),
  ...maybe(random, 5, () => ({ media: [{ type: 'image', url: 'https://example.com/rocket.png' }] })),
  ...maybe(random, 5, () => ({ migrationNotes: random.pick(['Turn it off and on.', null]) })),
});

/** An item of a batch, as a fetcher or a writer sends it. */
export const randomItem = (random: Seeded, nowMs: number, usedDates: readonly string[]) => ({
  title: random.pick(titles),
  ...maybe(random, 80, () => counted(randomContent(random))),
  ...maybe(random, 75, () => ({ version: random.pick(versions) })),
  ...maybe(random, 10, () => ({ url: `https://example.com/releases/${random.int(1, 4)}` })),
  ...optionalFields(random, nowMs, usedDates),
});

/** An edit by hand: at least one field, most often the date. */
export const randomEdit = (random: Seeded, nowMs: number, usedDates: readonly string[]) => {
  const { contentTokens, ...changes } = {
    contentTokens: null as number | null,
    ...optionalFields(random, nowMs, usedDates),
    ...maybe(random, 20, () => ({ title: random.pick(titles) })),
    ...maybe(random, 20, () => ({ version: random.pick([...versions, null]) })),
    ...maybe(random, 15, () => counted(randomContent(random))),
  };
  const atLeastOne = Object.keys(changes).length === 0 ? { prerelease: random.pick([true, null]) } : changes;
  return { contentTokens, changes: atLeastOne };
};
