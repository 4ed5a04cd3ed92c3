import { createEmbeddedSearchIndexes } from '../../src/adapters/embedded/search-index/search-indexes.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { createLog } from '../../src/adapters/system/log.ts';
import { createHttpClient } from '../../src/adapters/undici/http-client.ts';
import { unitOf } from '../../src/adapters/vector-form.ts';
import { openEmbedders } from '../../src/compose/open-embedders.ts';
import { embeddingSettingsOf } from '../../src/config/embedding-settings.ts';
import { readConfig } from '../../src/config/read-config.ts';
import type { Embedder } from '../../src/ports/embedder.ts';
import type { SearchFilter, SearchIndex, SearchIndexes } from '../../src/ports/search-index.ts';
import { candidatesPerList } from '../../src/search/ranking/fused-hits.ts';
import { entriesMax, neighboursMax } from '../../queries/related/nearest-neighbours.ts';
import type { Figure } from './bench-report.ts';
import { cacheFolder, fetchMissing } from './changelog-quality/package-cache.ts';
import { withServerIndexes } from './search-index/server-indexes.ts';
import { type CorpusDocument, releaseDocument } from './search-quality/corpus-documents.ts';
import { fillCorpusIndex } from './search-quality/corpus-index.ts';
import { readJudgedQueries } from './search-quality/judged-queries.ts';
import { readCorpus } from './search-quality/search-corpus.ts';
import { inBenchFolder } from './worlds/bench-folder.ts';

const shown = 20;
const releasesAsked = 150;
/** What is truly near is known by stored numbers, which are rounded: what is less near by so little is as near. */
const rounding = 0.002;
const filter: SearchFilter = { sources: { notIn: new Set() }, withCoverage: true };

interface Question {
  readonly near: readonly Float32Array[];
  readonly limit: number;
  readonly except: ReadonlySet<string>;
}

interface Known {
  readonly id: string;
  readonly units: readonly Float32Array[];
}

interface Filled {
  readonly index: SearchIndex;
  readonly space: string;
  readonly known: readonly Known[];
}

const productOf = (a: Float32Array, b: Float32Array): number => {
  let product = 0;
  for (let axis = 0; axis < a.length; axis += 1) product += a[axis]! * b[axis]!;
  return product;
};

const unitsOf = (vectors: readonly Float32Array[]): Float32Array[] => vectors.flatMap((one) => unitOf(one) ?? []);

/** Compared with all that is stored. */
async function shareFound({ index, space, known }: Filled, questions: readonly Question[]): Promise<number> {
  let [hits, wanted] = [0, 0];
  for (const { near, limit, except } of questions) {
    const asked = unitsOf(near);
    const others = known.filter(({ id }) => !except.has(id));
    const nearness = new Map(
      others.map(({ id, units }) => [
        id,
        Math.max(...units.flatMap((unit) => asked.map((one) => productOf(unit, one)))),
      ]),
    );
    const last = [...nearness.values()].sort((a, b) => b - a)[shown - 1]!;
    const [list] = await index.search([{ kind: 'release', filter: { ...filter, except }, limit, near, space }]);
    hits += list!.hits.slice(0, shown).filter(({ id }) => nearness.get(id)! >= last - rounding).length;
    wanted += shown;
  }
  return hits / wanted;
}

interface Corpus {
  readonly documents: readonly CorpusDocument[];
  readonly embedder: Embedder;
}

async function figuresOf(name: string, indexes: SearchIndexes, { documents, embedder }: Corpus): Promise<Figure[]> {
  const { space } = embedder;
  const index = await fillCorpusIndex(indexes, { documents, embedder, cacheFolder: cacheFolder() });
  const known: Known[] = [];
  for (const { doc } of documents) {
    const units = unitsOf(await index.vectorsOf('release', doc.id, space));
    if (units.length > 0) known.push({ id: doc.id, units });
  }
  const typed = await embedder.embed(
    readJudgedQueries().map(({ q }) => q),
    { isQuery: true },
  );
  const limit = candidatesPerList(0, shown);
  const queries = typed.flatMap((vector): Question[] =>
    vector === null ? [] : [{ near: [vector], limit, except: new Set() }],
  );
  const related = Array.from({ length: releasesAsked }, (_, number): Question => {
    const { id, units } = known[Math.floor((number * known.length) / releasesAsked)]!;
    return { near: units.slice(0, entriesMax), limit: neighboursMax, except: new Set([id]) };
  });
  const entries = known.reduce((sum, { units }) => sum + units.length, 0);
  const found = (questions: readonly Question[]) => shareFound({ index, space, known }, questions);
  return [
    { metric: `${name}: releases`, value: known.length, unit: '' },
    { metric: `${name}: their entries`, value: entries, unit: '' },
    {
      metric: `${name}: recall of the nearest ${shown} to words`,
      value: await found(queries),
      unit: '',
      atLeast: 0.95,
    },
    { metric: `${name}: the same to a release`, value: await found(related), unit: '', atLeast: 0.95 },
  ];
}

/** How much of what is truly near is found among texts that people wrote, of which many say the same. */
export const runSearchRecall = (): Promise<Figure[]> =>
  inBenchFolder(async (folder) => {
    fetchMissing();
    const http = createHttpClient();
    const log = createLog({ level: 'warn' });
    const embedders = await openEmbedders({ http, clock: systemClock, log }, embeddingSettingsOf(readConfig({})));
    const embedder = embedders!.best; // the settings say which
    try {
      const documents = readCorpus().map(releaseDocument);
      const embedded = await createEmbeddedSearchIndexes({ folder, clock: systemClock });
      const figures: Figure[] = [];
      try {
        figures.push(...(await figuresOf('embedded', embedded, { documents, embedder })));
      } finally {
        await embedded.close();
      }
      if (!process.env['OPENSEARCH_URL_FOR_TESTS']) return figures;
      const onServer = (indexes: SearchIndexes) => figuresOf('OpenSearch', indexes, { documents, embedder });
      return [...figures, ...(await withServerIndexes(onServer))];
    } finally {
      await embedder.close();
      await http.close();
    }
  });
