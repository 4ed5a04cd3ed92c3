import { createEmbeddedVectorStore } from '../../../src/adapters/embedded/search-index/vector-store.ts';
import type { Lease } from '../../../src/ports/leases.ts';
import type { Embedder } from '../../../src/ports/embedder.ts';
import type {
  EntryVector,
  SearchChange,
  SearchIndex,
  SearchIndexes,
  VectorStore,
} from '../../../src/ports/search-index.ts';
import type { EntryText } from '../../../src/search/entries/entry-text.ts';
import { releaseEntries } from '../../../src/search/entries/release-entries.ts';
import { type CorpusRelease, corpusIdOf } from './search-corpus.ts';

const releasesAtOnce = 100;

interface Filling {
  readonly index: SearchIndex;
  readonly vectors: VectorStore;
  readonly embedder: Embedder;
}

/** Those that are not kept from an earlier run. */
async function vectorsOf(
  { vectors, embedder }: Filling,
  entries: readonly EntryText[],
): Promise<ReadonlyMap<string, Float32Array>> {
  const hashes = [...new Set(entries.map(({ textHash }) => textHash))];
  const known = new Map(await vectors.get(embedder.model, hashes));
  const missing = [...new Map(entries.map((entry) => [entry.textHash, entry])).values()].filter(
    ({ textHash }) => !known.has(textHash),
  );
  const made = await embedder.embed(missing.map(({ text }) => text));
  const fresh = missing.flatMap(({ textHash }, at): EntryVector[] => {
    const vector = made[at];
    return vector == null ? [] : [{ textHash, vector }];
  });
  await vectors.put(embedder.model, fresh);
  for (const { textHash, vector } of fresh) known.set(textHash, vector);
  return known;
}

const putOf = (release: CorpusRelease, position: number): SearchChange => ({
  kind: 'put',
  index: 'release',
  position,
  doc: {
    id: corpusIdOf(release),
    sourceId: release.package,
    texts: { title: `${release.title} ${release.version}`, names: release.package, body: release.content },
    publishedMs: null,
    isCoverage: false,
    isBare: false,
    textHashes: [],
  },
});

async function addReleases(
  filling: Filling,
  releases: readonly CorpusRelease[],
  from: number,
  lease: Lease,
): Promise<void> {
  const { index, embedder } = filling;
  const withEntries = releases.map((release, at) => ({
    release,
    position: from + at + 1,
    entries: releaseEntries(release.package, release.content),
  }));
  const changes = withEntries.map(({ release, position }) => putOf(release, position));
  const known = await vectorsOf(
    filling,
    withEntries.flatMap(({ entries }) => entries),
  );
  const vectors = withEntries.map(
    ({ release, position, entries }): SearchChange => ({
      kind: 'vectors',
      index: 'release',
      position,
      id: corpusIdOf(release),
      space: embedder.space,
      model: embedder.model,
      entries: entries.flatMap(({ textHash }) => {
        const vector = known.get(textHash);
        return vector === undefined ? [] : [{ textHash, vector }];
      }),
    }),
  );
  const outcomes = [
    await index.write({ changes, position: from + releases.length, lease }),
    await index.write({ changes: vectors, position: null, lease }),
  ];
  if (outcomes.some((outcome) => outcome !== 'written'))
    throw new Error(`the corpus was not written: ${outcomes.join()}`);
}

/** Every release of the corpus with its words and vectors; vectors are kept beside the cached changelogs. */
export async function fillCorpusIndex(
  indexes: SearchIndexes,
  {
    corpus,
    embedder,
    cacheFolder,
  }: { readonly corpus: readonly CorpusRelease[]; readonly embedder: Embedder; readonly cacheFolder: string },
): Promise<SearchIndex> {
  const index = await indexes.open(1);
  const lease = await index.leases.acquire('feed', 'bench', 3_600_000);
  if (lease === null) throw new Error('the index of the bench is taken');
  const vectors = createEmbeddedVectorStore(cacheFolder);
  try {
    for (let from = 0; from < corpus.length; from += releasesAtOnce) {
      await addReleases({ index, vectors, embedder }, corpus.slice(from, from + releasesAtOnce), from, lease);
    }
  } finally {
    await vectors.close();
  }
  await index.settle();
  return index;
}
