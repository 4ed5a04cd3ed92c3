import type { SearchDeps } from '../../../queries/search/find-hits.ts';
import { searchReleases } from '../../../queries/search/search.ts';
import type { SearchIndex } from '../../../src/ports/search-index.ts';
import type { QueryEmbedder } from '../../../src/search/search-reading.ts';
import { type NaiveRelease } from '../naive/naive-registry.ts';
import { orgOf, shownProduct, type NaiveView } from '../naive/naive-view.ts';
import { type Comparison, publicly, same } from './comparison.ts';

/** Of titles, texts, versions and names. */
const words = ['fixes', 'wings', 'smoke', 'quoted', 'fall', 'update', 'beta', 'acme', 'zeta', 'rocket', 'nothing'];
const limit = 100;
const noFilters = { kind: null, org: null, product: null, category: null, collection: null };

/** Whether it is found by its text at all: one that says nothing is not. */
const says = ({ content }: NaiveRelease): boolean => content.trim().length >= 15;

const wordsOf = (view: NaiveView, release: NaiveRelease): ReadonlySet<string> => {
  const source = view.sources.find(({ id }) => id === release.sourceId)!;
  const texts = [
    release.given.title,
    release.given.version,
    release.given.titleGenerated,
    release.content,
    source.name,
    shownProduct(view, source)?.name,
    orgOf(view, source)?.name,
    ...source.packages.map(({ name }) => name),
  ];
  return new Set(
    texts
      .join('\n')
      .toLowerCase()
      .split(/[^a-z0-9]+/),
  );
};

export interface SearchedIndex {
  readonly index: SearchIndex;
  readonly embedder: QueryEmbedder;
}

/** Which releases searches find, by each way, however they rank them. */
export async function compareSearch(comparison: Comparison, { index, embedder }: SearchedIndex): Promise<void> {
  const { reading, view, random } = comparison;
  const deps: SearchDeps = { ...reading, index, embedder };
  const shown = view.releases.filter(says);
  const idsOf = (releases: readonly { readonly id: string }[]) => releases.map(({ id }) => id).sort();
  const find = async (
    q: string,
    wish: { readonly mode?: 'lexical' | 'semantic' | 'hybrid'; includeCoverage?: boolean },
  ) => {
    const { mode = 'lexical', includeCoverage = false } = wish;
    const input = { q, mode, limit, offset: 0, sinceMs: null, untilMs: null, includeCoverage, ...noFilters };
    return idsOf((await searchReleases(deps, input, publicly(comparison))).releases);
  };
  const expect = (what: string, expected: readonly NaiveRelease[], found: readonly string[]): void => {
    if (expected.length <= limit) same(what, idsOf(expected), found);
    else same(`${what} (how many)`, limit, found.length);
  };

  for (const word of words) {
    const includeCoverage = random.chance(30);
    const expected = shown.filter(
      (release) => (includeCoverage || release.coverageOf === null) && wordsOf(view, release).has(word),
    );
    expect(`search for ${word}`, expected, await find(word, { includeCoverage }));
  }
  const uncovered = shown.filter(({ coverageOf }) => coverageOf === null);
  expect('search by meaning', uncovered, await find('faster rockets', { mode: 'semantic' }));
  const { releases, sources } = view.registry;
  const kept = releases.filter(({ erased, suppressed }) => !erased && !suppressed);
  // Those of a source that is being purged go with it, or one after the other.
  const going = kept.filter(({ sourceId }) => sources.some(({ id, purged }) => id === sourceId && purged));
  const count = await index.count('release');
  same('releases in the search index, or going', true, count >= kept.length - going.length && count <= kept.length);
}
