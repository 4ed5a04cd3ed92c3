import type { SearchDeps } from '../../../queries/search/find-hits.ts';
import { orgReleases } from '../../../queries/orgs/org-releases.ts';
import { createKeptNeighbours } from '../../../queries/related/kept-neighbours.ts';
import { relatedReleases } from '../../../queries/related/related-releases.ts';
import { search, searchReleases } from '../../../queries/search/search.ts';
import type { SearchIndex } from '../../../src/ports/search-index.ts';
import type { QueryEmbedder } from '../../../src/search/search-reading.ts';
import { naiveFeed } from '../naive/naive-feed.ts';
import { type NaiveRelease } from '../naive/naive-registry.ts';
import { naiveChangelogFiles } from '../naive/naive-texts.ts';
import { orgOf, shownProduct, sourcesOfOrg, type NaiveView } from '../naive/naive-view.ts';
import { type Comparison, publicly, randomWindow, same, sameFeed } from './comparison.ts';

/** Of titles, texts, versions and names. */
const words = ['fixes', 'wings', 'smoke', 'quoted', 'fall', 'update', 'beta', 'acme', 'zeta', 'rocket', 'nothing'];
const limit = 100;
const noFilters = { kind: null, org: null, product: null, category: null, collection: null };

/** Whether it is found by its text at all: one that says nothing is not. */
const says = ({ content }: NaiveRelease): boolean => content.trim().length >= 15;

type Text = string | null | undefined;

const tokensOf = (texts: readonly Text[]): ReadonlySet<string> =>
  new Set(
    texts
      .join('\n')
      .toLowerCase()
      .split(/[^a-z0-9]+/),
  );

const ownTextsOf = ({ given, content }: NaiveRelease): readonly Text[] => [
  given.title,
  given.version,
  given.titleGenerated,
  content,
];

const wordsOf = (view: NaiveView, release: NaiveRelease): ReadonlySet<string> => {
  const source = view.sources.find(({ id }) => id === release.sourceId)!;
  return tokensOf([
    ...ownTextsOf(release),
    source.name,
    shownProduct(view, source)?.name,
    orgOf(view, source)?.name,
    ...source.packages.map(({ name }) => name),
  ]);
};

export interface SearchedIndex {
  readonly index: SearchIndex;
  readonly embedder: QueryEmbedder;
}

/** Pieces of the changelogs of those sources that anybody sees, as they are now. */
async function compareChunks(comparison: Comparison, deps: SearchDeps): Promise<void> {
  const { view, random } = comparison;
  const wish = { mode: random.pick(['semantic', 'hybrid'] as const), limit, offset: 0, includeCoverage: true };
  const input = { q: 'what has changed', sinceMs: null, untilMs: null, ...wish, ...noFilters };
  const { releases, chunks = [] } = await search(deps, input, publicly(comparison));
  const keyOf = ({ sourceId, path }: { readonly sourceId: string; readonly path: string }) => `${sourceId} ${path}`;
  const shown = view.sources.flatMap((source) => naiveChangelogFiles(view, source));
  const files = new Map(shown.map((file) => [keyOf(file), file]));
  for (const { sourceId, filePath, offset, length, snippet } of chunks) {
    const content = files.get(keyOf({ sourceId, path: filePath }))?.content;
    const text = content?.slice(offset, offset + length);
    same(`piece of ${filePath} of ${sourceId} at ${offset}`, text?.slice(0, 2_000), snippet.replace(/…$/, ''));
  }
  if (releases.length + chunks.length === limit) return;
  const found = new Set(chunks.map(({ sourceId, filePath }) => keyOf({ sourceId, path: filePath })));
  const expected = [...files.values()].filter(({ content }) => content !== '').map(keyOf);
  same('changelogs that are found', expected.sort(), [...found].sort());
}

/** Whatever is said to be related is for everybody to see. */
async function compareRelated(
  comparison: Comparison,
  { index, embedder }: SearchedIndex,
  uncovered: readonly NaiveRelease[],
): Promise<void> {
  const { reading, view, random } = comparison;
  if (view.releases.length === 0) return;
  const anchor = random.pick(view.releases);
  const scope = random.pick(['org', 'global'] as const);
  const deps = { ...reading, openIndex: async () => index, embedder, kept: createKeptNeighbours() };
  const input = { release: anchor.id, scope, limit: 20, isFresh: true };
  const { body } = await relatedReleases(deps, input, publicly(comparison));
  const orgIdOf = (sourceId: string) => view.sources.find(({ id }) => id === sourceId)?.orgId ?? sourceId;
  const mayBe = uncovered.filter(
    ({ id, sourceId }) => id !== anchor.id && (scope === 'global' || orgIdOf(sourceId) === orgIdOf(anchor.sourceId)),
  );
  const allowed = new Set(mayBe.map(({ id }) => id));
  const items: readonly { readonly id: string }[] = body.items;
  same(
    `related to ${anchor.id} (${scope})`,
    [],
    items.filter(({ id }) => !allowed.has(id)).map(({ id }) => id),
  );
}

/** The feed of an org by words: what begins with one in its title or text. */
async function compareFeedWords(comparison: Comparison, index: SearchIndex): Promise<void> {
  const { reading, view, random } = comparison;
  if (view.orgs.length === 0) return;
  const org = random.pick(view.orgs);
  const word = random.pick(words);
  const lanes = { includePrereleases: random.chance(50), includeCoverage: random.chance(50) };
  const input = { org: org.id, sourceType: null, kind: null, product: null, ...randomWindow(comparison), ...lanes };
  const expected = naiveFeed(view, sourcesOfOrg(view, org.id), input).filter((release) =>
    [...tokensOf(ownTextsOf(release))].some((token) => token.startsWith(word)),
  );
  await sameFeed(`feed of org ${org.id} by ${word}`, comparison, expected, (paging) =>
    orgReleases(reading, { ...input, ...paging, words: { index, tokens: [word] } }, publicly(comparison)),
  );
}

/** Which releases searches find, by each way, however they rank them. */
export async function compareSearch(comparison: Comparison, { index, embedder }: SearchedIndex): Promise<void> {
  const { reading, view, random } = comparison;
  const deps: SearchDeps = { ...reading, openIndex: async () => index, embedder };
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
  for (const mode of ['semantic', 'hybrid'] as const) {
    expect(`search by meaning, ${mode}`, uncovered, await find('faster rockets', { mode }));
  }
  await compareChunks(comparison, deps);
  await compareRelated(comparison, { index, embedder }, uncovered);
  await compareFeedWords(comparison, index);
  const { releases, sources } = view.registry;
  const kept = releases.filter(({ erased, suppressed }) => !erased && !suppressed);
  // Those of a source that is being purged go with it, or one after the other.
  const going = kept.filter(({ sourceId }) => sources.some(({ id, purged }) => id === sourceId && purged));
  const count = await index.count('release');
  same('releases in the search index, or going', true, count >= kept.length - going.length && count <= kept.length);
}
