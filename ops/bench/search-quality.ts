import { createEmbeddedSearchIndexes } from '../../src/adapters/embedded/search-index/search-indexes.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { createLog } from '../../src/adapters/system/log.ts';
import { createHttpClient } from '../../src/adapters/undici/http-client.ts';
import { openEmbedders } from '../../src/compose/open-embedders.ts';
import { embeddingSettingsOf } from '../../src/config/embedding-settings.ts';
import { readConfig } from '../../src/config/read-config.ts';
import type { Embedder } from '../../src/ports/embedder.ts';
import type { SearchIndex } from '../../src/ports/search-index.ts';
import { candidatesPerList, type FusedHit, fuseHits } from '../../src/search/ranking/fused-hits.ts';
import type { Figure } from './bench-report.ts';
import { cacheFolder, fetchMissing } from './changelog-quality/package-cache.ts';
import { chunkDocuments, releaseDocument } from './search-quality/corpus-documents.ts';
import { fillCorpusIndex } from './search-quality/corpus-index.ts';
import { isHeldOut, type JudgedQuery, queryKinds, readJudgedQueries } from './search-quality/judged-queries.ts';
import { ndcg, recall, reciprocalRank } from './search-quality/measures.ts';
import { type CorpusRelease, corpusIdOf, readCorpus, readCorpusFiles } from './search-quality/search-corpus.ts';
import { inBenchFolder } from './worlds/bench-folder.ts';

const modes = ['lexical', 'semantic', 'hybrid'] as const;
/** What the rules of the contract for pages of searches make of the last mode. */
const pageRules = ['hybrid by recency', 'hybrid by recency, the page shared with chunks'] as const;
type Mode = (typeof modes)[number] | (typeof pageRules)[number];

const shown = 20;
const filter = { sources: { notIn: new Set<string>() }, withCoverage: false };
const anyMoment = { nowMs: 0, dateOf: () => null };

/** When a registry of these releases is searched, and how old they are then. */
type Moment = Parameters<typeof fuseHits>[1];

function momentOf(corpus: readonly CorpusRelease[]): Moment {
  const dates = new Map(corpus.map((release) => [corpusIdOf(release), release.publishedMs]));
  const nowMs = corpus.reduce((latest, { publishedMs }) => Math.max(latest, publishedMs ?? 0), 0);
  return { nowMs, dateOf: (kind, id) => (kind === 'release' ? (dates.get(id) ?? null) : null) };
}

interface Judged {
  readonly query: JudgedQuery;
  /** All releases of a mode, the best first. */
  readonly ranked: Readonly<Record<Mode, readonly string[]>>;
  /** Chunks on the page of a search. */
  readonly chunks: number;
}

interface Searched {
  readonly index: SearchIndex;
  readonly embedder: Embedder;
  readonly moment: Moment;
}

async function rank({ index, embedder, moment }: Searched, query: JudgedQuery): Promise<Judged> {
  const limit = candidatesPerList(0, shown);
  const [near] = await embedder.embed([query.q], { isQuery: true });
  const words = { tokens: query.q.split(/\s+/), isPrefix: false };
  const kinds = ['release', 'chunk'] as const;
  const asked = kinds.flatMap((kind) => [
    { kind, filter, limit, words },
    ...(near == null ? [] : [{ kind, filter, limit, near: [near], space: embedder.space }]),
  ]);
  const found = await index.search(asked);
  const lists = asked.map((list, at) => ({ kind: list.kind, hits: found[at]!.hits, isByWords: 'words' in list }));
  const ofReleases = lists.filter(({ kind }) => kind === 'release');
  const releasesOf = (hits: readonly FusedHit[]) => hits.filter(({ kind }) => kind === 'release').map(({ id }) => id);
  const fused = (some: typeof lists, at: Moment) => releasesOf(fuseHits(some, at));
  const page = fuseHits(lists, moment).slice(0, shown);
  const ranked = {
    lexical: ofReleases.filter(({ isByWords }) => isByWords).flatMap(({ hits }) => hits.map(({ id }) => id)),
    semantic: fused(
      ofReleases.filter(({ isByWords }) => !isByWords),
      anyMoment,
    ),
    hybrid: fused(ofReleases, anyMoment),
    'hybrid by recency': fused(ofReleases, moment),
    'hybrid by recency, the page shared with chunks': releasesOf(page),
  };
  return { query, ranked, chunks: page.filter(({ kind }) => kind === 'chunk').length };
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

/** What recency and chunks, which the contract wants, cost those who look for what was judged here. */
function ruleFigures(all: readonly Judged[], corpus: readonly CorpusRelease[]): Figure[] {
  const figures: Figure[] = [
    { metric: 'releases', value: corpus.length, unit: '' },
    {
      metric: 'releases with a date',
      value: corpus.filter(({ publishedMs }) => publishedMs !== null).length / corpus.length,
      unit: '',
    },
  ];
  for (const kind of [...queryKinds, 'all'] as const) {
    const of = kind === 'all' ? all : all.filter(({ query }) => query.kind === kind);
    for (const mode of pageRules) {
      for (const measure of Object.keys(measures) as Measure[]) {
        figures.push({
          metric: `${measure}, ${kind} (${of.length}), ${mode}`,
          value: measured(of, mode, measure),
          unit: '',
        });
      }
    }
  }
  figures.push({ metric: `chunks among ${shown} hits`, value: mean(all.map(({ chunks }) => chunks)), unit: '' });
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
      const corpus = readCorpus();
      const documents = corpus.map(releaseDocument);
      for (const file of readCorpusFiles()) documents.push(...(await chunkDocuments(file)));
      const index = await fillCorpusIndex(indexes, { documents, embedder, cacheFolder: cacheFolder() });
      const searched = { index, embedder, moment: momentOf(corpus) };
      const all: Judged[] = [];
      for (const query of readJudgedQueries()) if (isHeldOut(query.id)) all.push(await rank(searched, query));
      return [...figuresOf(all), ...ruleFigures(all, corpus)];
    } finally {
      await indexes.close();
      await embedders?.best.close();
      await http.close();
    }
  });
