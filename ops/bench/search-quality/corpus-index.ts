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
import type { CorpusDocument } from './corpus-documents.ts';

const documentsAtOnce = 100;

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

async function addDocuments(
  filling: Filling,
  documents: readonly CorpusDocument[],
  from: number,
  lease: Lease,
): Promise<void> {
  const { index, embedder } = filling;
  const known = await vectorsOf(
    filling,
    documents.flatMap(({ entries }) => entries),
  );
  const changes = documents.map(({ kind, doc }, at): SearchChange => {
    return { kind: 'put', index: kind, position: from + at + 1, doc };
  });
  const vectors = documents.map(
    ({ kind, doc, entries }, at): SearchChange => ({
      kind: 'vectors',
      index: kind,
      position: from + at + 1,
      id: doc.id,
      space: embedder.space,
      model: embedder.model,
      entries: entries.flatMap(({ textHash }) => {
        const vector = known.get(textHash);
        return vector === undefined ? [] : [{ textHash, vector }];
      }),
    }),
  );
  const outcomes = [
    await index.write({ changes, position: from + documents.length, lease }),
    await index.write({ changes: vectors, position: null, lease }),
  ];
  if (outcomes.some((outcome) => outcome !== 'written'))
    throw new Error(`the corpus was not written: ${outcomes.join()}`);
}

/** Every document of the corpus with its words and vectors; vectors are kept beside the cached changelogs. */
export async function fillCorpusIndex(
  indexes: SearchIndexes,
  {
    documents,
    embedder,
    cacheFolder,
  }: { readonly documents: readonly CorpusDocument[]; readonly embedder: Embedder; readonly cacheFolder: string },
): Promise<SearchIndex> {
  const index = await indexes.open(1);
  const lease = await index.leases.acquire('feed', 'bench', 3_600_000);
  if (lease === null) throw new Error('the index of the bench is taken');
  const vectors = createEmbeddedVectorStore(cacheFolder);
  try {
    for (let from = 0; from < documents.length; from += documentsAtOnce) {
      await addDocuments({ index, vectors, embedder }, documents.slice(from, from + documentsAtOnce), from, lease);
    }
  } finally {
    await vectors.close();
  }
  await index.settle();
  return index;
}
