import { categories, kinds, sourceTypes } from '../../../src/domain/enumerations.ts';
import type { Seeded } from '../seeded.ts';

// Few of each, in several spellings: names sort in any case, and slugs and domains collide.
const names = ['Acme', 'acme', 'Zeta', 'beta', 'Ångström', 'B', 'Rocket Works', 'rocket works'];
const slugs = ['acme', 'zeta', 'core', 'main', 'rockets'];
export const historyPackages = ['@acme/rocket', 'acme-anvil'];
export const historyRepositories = ['acme/core', 'acme/rockets'];
const domains = ['acme.example', 'zeta.example', 'alias.example'];
const someCategories = [...categories.slice(0, 3), null];
const packages = historyPackages.flatMap((name) => [
  { ecosystem: 'npm', name },
  { ecosystem: 'pypi', name },
]);
const locators = [
  { url: 'https://acme.example/news' },
  { feed: 'https://acme.example/feed.xml' },
  { github: 'acme/core' },
];
const someKinds = [...kinds.slice(0, 3), null];
const metadata = [
  { feedUrl: 'https://example.com/feed' },
  { feedUrl: null },
  { appStore: { platform: 'ios', iconUrl: 'https://example.com/icon.png' } },
  { appStore: { platform: 'macos' }, changelogUrl: 'https://example.com/news' },
  { video: { provider: 'youtube' } },
  { appStore: null, video: null, changelogUrl: null },
];

/** What names and describes orgs, products and sources; most fields are left out most of the time. */
export const createEntityFields = (random: Seeded) => {
  const maybe = <Field>(percent: number, field: () => Field): Field | object => (random.chance(percent) ? field() : {});
  const location = () => ({
    ...maybe(30, () => ({ title: random.pick(names) })),
    ...maybe(20, () => ({ canonical: true })),
  });
  const name = () => ({ name: random.pick(names) });

  return {
    name,
    nameAndSlug: () => ({ ...name(), ...maybe(30, () => ({ slug: random.pick(slugs) })) }),
    org: () => ({
      ...maybe(50, () => ({ category: random.pick(someCategories) })),
      ...maybe(20, () => ({ featured: random.chance(50) })),
      ...maybe(25, () => ({ domain: random.pick([...domains, null]) })),
      ...maybe(15, () => ({ aliases: [random.pick(domains)] })),
    }),
    product: () => ({
      ...maybe(40, () => ({ kind: random.pick(someKinds) })),
      ...maybe(40, () => ({ category: random.pick(someCategories) })),
      ...maybe(15, () => ({ aliases: [random.pick(domains)] })),
    }),
    source: () => ({
      ...maybe(40, () => ({ kind: random.pick(someKinds) })),
      ...maybe(60, () => ({ type: random.pick(sourceTypes) })),
      ...maybe(30, () => ({ isPrimary: random.chance(75) })),
      ...maybe(25, () => ({ packages: [random.pick(packages)] })),
      ...maybe(30, () => ({ metadata: random.pick(metadata) })),
    }),
    entityNotice: () => maybe(25, () => ({ notice: random.pick([{ message: 'Moved' }, { message: 'Back' }, null]) })),
    /** Of what is known before there is anything to point to. */
    stubLocations: () => {
      const some = locators.filter(() => random.chance(40));
      return (some.length === 0 ? [random.pick(locators)] : some).map((locator) => ({ ...locator, ...location() }));
    },
    locations: (reference: () => object) =>
      maybe(35, () => {
        const some = locators.filter(() => random.chance(50));
        return { locations: some.map((locator) => ({ ...locator, ...location(), ...reference() })) };
      }),
    domain: () => random.pick([...domains, 'rockets.example', 'core.example']),
    notice: () => ({ active: random.chance(50), message: random.pick(names) }),
    sourceUrl: () =>
      random.chance(30)
        ? `https://github.com/${random.pick(historyRepositories)}`
        : `https://example.com/changelog/${random.int(1, 5)}`,
  };
};
