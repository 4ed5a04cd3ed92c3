import { parseArgs } from 'node:util';
import { runAppend } from './append.ts';
import { runAsOf } from './as-of.ts';
import { type Figure, reportJson, reportTable } from './bench-report.ts';
import { runChangelog } from './changelog.ts';
import { runChangelogQuality } from './changelog-quality.ts';
import { runChangelogSpeed } from './changelog-speed.ts';
import { runDeliveries } from './deliveries.ts';
import { runEmbedders } from './embedders.ts';
import { runEntitySearch } from './entity-search.ts';
import { runEventStoreDb } from './eventstoredb.ts';
import { runBus } from './bus.ts';
import { runCommands } from './commands.ts';
import { runFeed } from './feed.ts';
import { runFetching } from './fetching.ts';
import { runForms } from './forms.ts';
import { runGeneration } from './generation.ts';
import { runGrowth } from './growth.ts';
import { runHttpIngest } from './http-ingest.ts';
import { runHot } from './hot.ts';
import { runHttpRead } from './http-read.ts';
import { runIdle } from './idle.ts';
import { runImporting } from './importing.ts';
import { runIngest } from './ingest.ts';
import { runKills } from './kills.ts';
import { runLoneWrites } from './lone-writes.ts';
import { runMongodb } from './mongodb.ts';
import { runPublicReads } from './public-reads.ts';
import { runPublicReadsGrowth } from './public-reads-growth.ts';
import { runPurge } from './purge.ts';
import { runReadsGrowth } from './reads-growth.ts';
import { runOnePass } from './one-pass.ts';
import { runOpenSearch } from './opensearch.ts';
import { runRebuild } from './rebuild.ts';
import { runSearching } from './searching.ts';
import { runSearchQuality } from './search-quality.ts';
import { runSearchRecall } from './search-recall.ts';
import { runSearchIndex } from './search-index.ts';
import { runThreads } from './threads.ts';
import { runWriteCost } from './write-cost.ts';

interface Bench {
  readonly about: string;
  /** The variable with the address of its server; without it the bench is not one of all. */
  readonly needs?: string;
  readonly run: (options: {
    readonly releases: number | undefined;
    readonly role: string | undefined;
    /** A folder where what takes long to fill is kept for the next run. */
    readonly data: string | undefined;
    readonly part: string | undefined;
    /** Nothing but the figures may be printed. */
    readonly json: boolean;
  }) => Promise<Figure[]>;
}

const benches: Readonly<Record<string, Bench>> = {
  append: { about: 'events into the embedded event store', run: runAppend },
  eventstoredb: {
    about: 'events over the EventStoreDB adapter to its stand-in, and the embedded store',
    run: runEventStoreDb,
  },
  ingest: { about: 'batches of releases through the commands, with the read models following', run: runIngest },
  importing: {
    about: 'a file of releases brought in by the command; --releases <n> instead of 20000',
    run: runImporting,
  },
  bus: { about: 'small messages through the message bus', run: runBus },
  deliveries: { about: 'webhooks from the append of a release to their receivers', run: runDeliveries },
  kills: {
    about: 'from the kill of a process of each role to the next deliveries; --role <name> for one',
    run: runKills,
  },
  rebuild: { about: 'each read model made again from the log', run: runRebuild },
  'one-pass': {
    about: 'all read models filled together, and each alone, from either event store; --releases <n> instead of 10000',
    run: runOnePass,
  },
  fetching: { about: 'ten thousand sources due at once at a local server, with readers beside', run: runFetching },
  generation: { about: 'overviews and summaries picked out of releases', run: runGeneration },
  embedders: { about: 'texts of releases into vectors, by the static model and by MiniLM', run: runEmbedders },
  feed: { about: 'cold pages of feeds; --releases <n> instead of 200000', run: runFeed },
  'as-of': { about: 'orgs, feeds and releases as of a past moment; --releases <n> instead of 200000', run: runAsOf },
  forms: { about: 'Atom feeds of long and of hostile texts', run: runForms },
  growth: { about: 'what must cost the same however much a registry holds', run: runGrowth },
  'reads-growth': {
    about: 'CPU of reads in a small and in a large registry; --releases <n> instead of 200000 in the largest',
    run: runReadsGrowth,
  },
  'public-reads': {
    about:
      'each kind of public read, embedded and on MongoDB where it runs; --releases <n> instead of 200000, --data <folder> keeps what was filled',
    run: runPublicReads,
  },
  'public-reads-growth': {
    about:
      'the same among 20000 and among --releases <n> instead of 1000000, on MongoDB with --part mongodb; --data <folder> too',
    run: runPublicReadsGrowth,
  },
  'search-quality': {
    about: 'judged queries answered by words, by meaning and by both, over changelogs which npm fetches once',
    run: runSearchQuality,
  },
  'search-recall': {
    about: 'how much of what is near is found, over the same changelogs; on OpenSearch too where it runs',
    run: runSearchRecall,
  },
  'search-index': {
    about:
      'words and vectors of the embedded search index; --releases <n> instead of 100000, --data <folder> to fill it once',
    run: runSearchIndex,
  },
  opensearch: {
    about: 'the same of the search index on OpenSearch; --releases <n> instead of 20000',
    needs: 'OPENSEARCH_URL_FOR_TESTS',
    run: runOpenSearch,
  },
  searching: {
    about: 'searches and fills of vectors beside readers of the running service; --releases <n> instead of 20000',
    run: runSearching,
  },
  'entity-search': { about: 'orgs, sources and collections found by their names', run: runEntitySearch },
  mongodb: {
    about: 'writes and cold pages of feeds on MongoDB; --releases <n> too',
    needs: 'MONGODB_URL_FOR_TESTS',
    run: runMongodb,
  },
  'write-cost': {
    about: 'CPU of storing releases, on either event store and behind many revisions',
    run: runWriteCost,
  },
  commands: { about: 'commands of one kind by many callers, embedded and on servers', run: runCommands },
  'lone-writes': { about: 'one write after the other, and 500 releases suppressed in a call', run: runLoneWrites },
  changelog: { about: 'changelog files stored and read in slices', run: runChangelog },
  'changelog-quality': {
    about: 'versions, dates and text found in the changelogs of pinned packages, which npm fetches once',
    run: runChangelogQuality,
  },
  'changelog-speed': { about: 'changelogs cut into entries, hostile ones too', run: runChangelogSpeed },
  idle: { about: 'CPU of a service that nobody asks', run: runIdle },
  purge: { about: 'an org deleted for good, with readers of others; --releases <n> instead of 100000', run: runPurge },
  'http-ingest': { about: 'batches of releases sent to the running service', run: runHttpIngest },
  hot: {
    about:
      'answers that are ready against a bare server, and cold ones, on MongoDB too where it runs; --part <name> for one of ready, cold, writes (each also with -on-mongodb) and limit; --releases <n> too',
    run: runHot,
  },
  threads: { about: 'two processes behind a port against one; --releases <n> instead of 20000', run: runThreads },
  'http-read': { about: 'start, memory and reads of the running service; --releases <n> too', run: runHttpRead },
};

const nameWidth = Math.max(...Object.keys(benches).map((name) => name.length));

const listBenches = (): string =>
  [
    'npm run bench -- <name> [--json]',
    ...Object.entries(benches).map(([name, { about }]) => `  ${name.padEnd(nameWidth)} ${about}`),
    `  ${'all'.padEnd(nameWidth)} each in turn`,
  ].join('\n');

const allBenches = (): string[] =>
  Object.entries(benches).flatMap(([name, { needs }]) => {
    if (needs === undefined || process.env[needs]) return [name];
    console.error(`The bench ${name} is left out: ${needs} is not set.`);
    return [];
  });

/** Runs what the arguments name and prints its figures; answers the exit code. A missed target is no failure. */
export async function runBenches(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      releases: { type: 'string' },
      role: { type: 'string' },
      data: { type: 'string' },
      part: { type: 'string' },
    },
  });
  if (positionals.length === 0) {
    console.log(listBenches());
    return 0;
  }
  const names = positionals.includes('all') ? allBenches() : positionals;
  const releases = values.releases === undefined ? undefined : Number(values.releases);
  const unknown = names.filter((name) => !Object.hasOwn(benches, name));
  if (unknown.length > 0 || (releases !== undefined && !(Number.isSafeInteger(releases) && releases > 0))) {
    console.error(unknown.length > 0 ? `There is no bench ${unknown.join(', ')}.` : '--releases takes a whole number.');
    console.error(listBenches());
    return 2;
  }
  for (const name of names) {
    const figures = await benches[name]!.run({
      releases,
      role: values.role,
      data: values.data,
      part: values.part,
      json: values.json,
    });
    console.log(values.json ? reportJson(name, figures) : reportTable(name, figures));
  }
  return 0;
}
