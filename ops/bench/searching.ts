import { setTimeout as sleep } from 'node:timers/promises';
import {
  generationFile,
  openForSearching,
  pointerName,
  pointersFile,
} from '../../src/adapters/embedded/search-index/file.ts';
import { openReadPointers } from '../../src/adapters/embedded/read-models/pointers.ts';
import { codeBytesOf } from '../../src/adapters/embedded/search-index/codes/sign-codes.ts';
import { searchKinds } from '../../src/ports/search-index.ts';
import type { Figure } from './bench-report.ts';
import { inBenchFolder, secondsSince } from './worlds/bench-folder.ts';
import { fillAll } from './worlds/filled-registry.ts';
import { answerTimesMs, withConnections } from './worlds/http-connection.ts';
import { percentile } from './worlds/percentile.ts';
import { createSearchTexts } from './worlds/search-texts.ts';
import { createChance } from './worlds/seeded-data.ts';
import { buildRegistry, type ServedRegistry, untilIndexed, untilQuiet, withServed } from './worlds/served-registry.ts';

const orgCount = 100;
const readers = 2;
const searchers = 8;
const entryWords = 12;
const seconds = 8;
const lookEachMs = 100;
const fillSecondsMax = 600;

const orgPath = (number: number): string => `/v1/orgs/org-${number % orgCount}/releases`;

interface FilledIndex {
  /** Documents that have no vectors of the model yet. */
  readonly waiting: () => number;
  /** Vectors by the model. */
  readonly entries: () => number;
}

/** Reads the file of the live index beside the service: of the model whose name holds this. */
function ofIndex<Result>(dataDir: string, named: string, read: (index: FilledIndex) => Result): Result {
  const pointers = openReadPointers(pointersFile(dataDir), true);
  const generation = pointers.all()[pointerName]!;
  pointers.close();
  const db = openForSearching(generationFile(dataDir, generation));
  if (typeof db === 'string') throw new Error(`the search index is ${db}`);
  const numberOf = (sql: string): number => db.prepare<[], number>(sql).pluck().get() ?? 0;
  const sumOf = (sqlOf: (kind: string) => string): number =>
    searchKinds.reduce((sum, kind) => sum + numberOf(sqlOf(kind)), 0);
  const isFilled = `docs.model IN (SELECT ordinal FROM models WHERE name LIKE '%${named}%')`;
  const codes = (kind: string) => `codes_${kind} JOIN docs_${kind} docs USING (ordinal)`;
  try {
    return read({
      waiting: () => sumOf((kind) => `SELECT count(*) FROM docs_${kind} docs WHERE NOT ${isFilled}`),
      entries: () => {
        const bytes = sumOf((kind) => `SELECT sum(length(codes)) FROM ${codes(kind)} WHERE ${isFilled}`);
        return bytes / codeBytesOf(numberOf('SELECT max(dimensions) FROM spaces'));
      },
    });
  } finally {
    db.close();
  }
}

/** Words are there already: what is measured is reading the texts, embedding them, and writing their vectors. */
async function untilFilled(dataDir: string): Promise<Figure> {
  const startedMs = performance.now();
  const before = ofIndex(dataDir, 'static', (index) => index.entries());
  for (;;) {
    if (ofIndex(dataDir, 'static', ({ waiting }) => waiting()) === 0) {
      const tookSeconds = secondsSince(startedMs);
      const entries = ofIndex(dataDir, 'static', (index) => index.entries()) - before;
      const value = entries / tookSeconds;
      return { metric: `first fill by the static model, ${entries} entries`, value, unit: '/s', atLeast: 6_000 };
    }
    if (secondsSince(startedMs) > fillSecondsMax) throw new Error('the vectors do not come to their end');
    await sleep(lookEachMs);
  }
}

const forSeconds = () => {
  const startedMs = performance.now();
  return () => secondsSince(startedMs) >= seconds;
};

const readTimes = ({ port }: ServedRegistry): Promise<number[]> =>
  withConnections(port, readers, (connections) => answerTimesMs(connections, orgPath, forSeconds()));

type Words = ReturnType<typeof createSearchTexts>['words'];

const searchTimes = ({ port }: ServedRegistry, words: Words): Promise<number[]> =>
  withConnections(port, searchers, (connections) =>
    answerTimesMs(connections, () => `/v1/search?q=${words(2).join('+')}`, forSeconds()),
  );

const timesOf = (metric: string, times: readonly number[], p95Max?: number): Figure[] => [
  { metric: `${metric}, p50`, value: percentile(times, 0.5), unit: 'ms' },
  {
    metric: `${metric}, p95`,
    value: percentile(times, 0.95),
    unit: 'ms',
    ...(p95Max !== undefined && { atMost: p95Max }),
  },
];

async function besideSearches(served: ServedRegistry, words: Words): Promise<Figure[]> {
  const quiet = await readTimes(served);
  const [beside, searches] = await Promise.all([readTimes(served), searchTimes(served, words)]);
  const slower = percentile(beside, 0.5) / percentile(quiet, 0.5);
  return [
    ...timesOf(`${searchers} searches at once`, searches, 150),
    ...timesOf(`org feed, ${readers} readers`, quiet),
    ...timesOf('the same beside these searches', beside),
    { metric: 'p50 beside the searches to the quiet one', value: slower, unit: 'x', atMost: 2 },
  ];
}

/** The vectors of the static model are made again, in the background. */
async function besideMiniLm(dataDir: string, served: ServedRegistry): Promise<Figure[]> {
  const filled = () => ofIndex(dataDir, 'minilm-int8', ({ entries }) => entries());
  const before = filled();
  const startedMs = performance.now();
  const beside = await readTimes(served);
  const value = (filled() - before) / secondsSince(startedMs);
  if (ofIndex(dataDir, 'minilm-int8', ({ waiting }) => waiting()) === 0) {
    throw new Error('MiniLM was done before the readers were');
  }
  return [
    { metric: 'filled by MiniLM meanwhile', value, unit: 'entries/s' },
    ...timesOf('org feed while MiniLM fills', beside),
  ];
}

/** What searches, and the vectors that they need, cost those who ask for something else of the running service. */
export const runSearching = ({ releases = 20_000 }: { readonly releases?: number | undefined }): Promise<Figure[]> =>
  inBenchFolder(async (dataDir) => {
    const { words } = createSearchTexts(createChance(6));
    const entry = () => words(entryWords).join(' '); // each another text: what is known already is not embedded again
    await fillAll({ dataDir }, { orgs: orgCount, sourcesPerOrg: 5, releases, bodyChars: 600, entry, emit: false });
    await buildRegistry(dataDir);
    const serve = <Result>(embedder: string, work: (served: ServedRegistry) => Promise<Result>) =>
      withServed(dataDir, work, { EMBEDDER: embedder });
    await serve('off', untilIndexed);
    const byStatic = await serve('static', async (served) => {
      const filled = await untilFilled(dataDir);
      await untilQuiet(served);
      return [filled, ...(await besideSearches(served, words))];
    });
    return [...byStatic, ...(await serve('minilm', (served) => besideMiniLm(dataDir, served)))];
  });
