import { createEmbeddedSearchIndexes } from '../../src/adapters/embedded/search-index/search-indexes.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { createLog } from '../../src/adapters/system/log.ts';
import { createHttpClient } from '../../src/adapters/undici/http-client.ts';
import { openEmbedders } from '../../src/compose/open-embedders.ts';
import { embeddingSettingsOf } from '../../src/config/embedding-settings.ts';
import { readConfig } from '../../src/config/read-config.ts';
import type { Embedder } from '../../src/ports/embedder.ts';
import type { SearchHit, SearchIndex } from '../../src/ports/search-index.ts';
import { candidatesPerList, fuseHits } from '../../src/search/ranking/fused-hits.ts';
import type { Figure } from './bench-report.ts';
import { cacheFolder, fetchMissing } from './changelog-quality/package-cache.ts';
import { fillCorpusIndex } from './search-quality/corpus-index.ts';
import { isHeldOut, type JudgedQuery, queryKinds, readJudgedQueries } from './search-quality/judged-queries.ts';
import { ndcg, recall, reciprocalRank } from './search-quality/measures.ts';
import { corpusIdOf, readCorpus } from './search-quality/search-corpus.ts';
import { inBenchFolder } from './worlds/bench-folder.ts';

const modes = ['lexical', 'semantic', 'hybrid'] as const;
type Mode = (typeof modes)[number];

const shown = 20;
const filter = { sources: { notIn: new Set<string>() }, withCoverage: false };
const anyMoment = { nowMs: 0, dateOf: () => null };

/** All releases of a mode, the best first. */
type Ranked = Readonly<Record<Mode, readonly string[]>>;

async function rank(index: SearchIndex, embedder: Embedder, q: string): Promise<Ranked> {
  const limit = candidatesPerList(0, shown);
  const [near] = await embedder.embed([q], { isQuery: true });
  const words = { kind: 'release', filter, limit, words: { tokens: q.split(/\s+/), isPrefix: false } } as const;
  const nearest =
    near == null ? [] : [{ kind: 'release', filter, limit, near: [near], space: embedder.space } as const];
  const [byWords, byMeaning] = await index.search([words, ...nearest]);
  const listOf = (hits: readonly SearchHit[] = []) => ({ kind: 'release' as const, hits });
  const [lexical, semantic] = [listOf(byWords?.hits), listOf(byMeaning?.hits)];
  const idsOf = (lists: Parameters<typeof fuseHits>[0]) => fuseHits(lists, anyMoment).map(({ id }) => id);
  return {
    lexical: lexical.hits.map(({ id }) => id),
    semantic: idsOf([semantic]),
    hybrid: idsOf([lexical, semantic]),
  };
}

interface Judged {
  readonly query: JudgedQuery;
  readonly ranked: Ranked;
}

const gradesOf = ({ judged }: JudgedQuery) => new Map(judged.map((one) => [corpusIdOf(one), one.grade]));

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const measures = { 'nDCG@10': ndcg, 'recall@20': recall, MRR: reciprocalRank } as const;
type Measure = keyof typeof measures;

const measured = (all: readonly Judged[], mode: Mode, measure: Measure): number =>
  mean(all.map(({ query, ranked }) => measures[measure](ranked[mode], gradesOf(query))));

function figuresOf(all: readonly Judged[]): Figure[] {
  const figures: Figure[] = [];
  for (const kind of [...queryKinds, 'all'] as const) {
    const of = kind === 'all' ? all : all.filter(({ query }) => query.kind === kind);
    for (const measure of Object.keys(measures) as Measure[]) {
      for (const mode of modes) {
        figures.push({
          metric: `${measure}, ${kind} (${of.length}), ${mode}`,
          value: measured(of, mode, measure),
          unit: '',
        });
      }
    }
    const [lexical, semantic, hybrid] = modes.map((mode) => measured(of, mode, 'nDCG@10')) as [number, number, number];
    const bound = kind === 'all' ? 1.1 : 0.97;
    const against = kind === 'all' ? Math.max(lexical, semantic) : lexical;
    figures.push({
      metric: `hybrid to ${kind === 'all' ? 'the better of the others' : 'lexical'}, ${kind}`,
      value: against === 0 ? Number.POSITIVE_INFINITY : hybrid / against,
      unit: 'x',
      atLeast: bound,
    });
  }
  return figures;
}

/** How well judged queries are answered by words, by meaning and by both; over the half that nobody tunes by. */
export const runSearchQuality = (): Promise<Figure[]> =>
  inBenchFolder(async (folder) => {
    fetchMissing();
    const log = createLog({ level: 'warn' });
    const http = createHttpClient();
    const embedders = await openEmbedders({ http, clock: systemClock, log }, embeddingSettingsOf(readConfig({})));
    const indexes = await createEmbeddedSearchIndexes({ folder, clock: systemClock });
    try {
      const embedder = embedders!.best; // the settings say which
      const index = await fillCorpusIndex(indexes, { corpus: readCorpus(), embedder, cacheFolder: cacheFolder() });
      const all: Judged[] = [];
      for (const query of readJudgedQueries()) {
        if (isHeldOut(query.id)) all.push({ query, ranked: await rank(index, embedder, query.q) });
      }
      return figuresOf(all);
    } finally {
      await indexes.close();
      await embedders?.best.close();
      await http.close();
    }
  });
