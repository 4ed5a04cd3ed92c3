import { defineConfig } from 'vitest/config';
import { builtSources } from './test/spec/built/built-sources.ts';
import { slowestFilesReporter } from './test/spec/slowest-files-reporter.ts';

// Files keep nothing that another one could meet, so that those of a project share a process and load the program once.
const forks = {
  pool: 'forks',
  isolate: false,
  globalSetup: ['test/spec/built/build-modules.ts', 'test/spec/servers/start-containers.ts'],
  server: { deps: { external: [/\/\.built\//] } },
};
/** Most of their time these wait for stores, so three files at once share two cores well. */
const withServers = { ...forks, maxWorkers: 3, sequence: { groupOrder: 1 } };
/** Each has servers of its own at work beside it: two at once are what two cores can do in the time that requests have. */
const withRealServers = { ...forks, maxWorkers: 2, sequence: { groupOrder: 2 } };
/** These keep the whole machine busy while they kill, each its own servers: when all others are done. */
const atTheEnd = { ...forks, maxWorkers: 2, sequence: { groupOrder: 3 } };

const project = (name: string, include: string, testTimeout: number, options: object = withServers) => ({
  plugins: 'server' in options ? [builtSources] : [],
  test: { name, include: [`test/${include}`], testTimeout, hookTimeout: testTimeout, ...options },
});

// unit: pure code, in milliseconds; it keeps nothing between files, so they share two threads.
// contract: each port's suite over each adapter. service: its parts together, and all of them behind HTTP. system: the
// program and its processes. kills: the program and servers that die under load. `npm run test:long` runs some of these
// for much longer, by hand and before a release.
const units =
  '{kernel,domain,concurrency,commands,projections,catalogue,queries,forms,ingest,generation,search,delivery,use-cases,config,cli,ops}';

const kills = 'broker-stopped|deliveries-killed|kill-under-load|native-stack|search-on-opensearch|servers-stopped';

/** The same tests once more, on other stores than the embedded ones. */
const onServers = (name: string, backends: string, files: string, folder = 'http') =>
  project(name, `${folder}/${files}.test.ts`, 120_000, { ...withRealServers, env: { TEST_BACKENDS: backends } });

// Where a store can make a difference: every write once, claims of names, batches, edits and erasing, repeats and positions,
// outages, texts, feeds with their pages, versions, histories, what is withdrawn, revoked tokens, records, all that is
// delivered, and answers that are kept ready while others write. The other files are about the service before it comes to a
// port, and behind a port every adapter passes the same suite.
const aboutServers =
  '{as-of,batch-ingest,changelogs,claims,deliveries,every-write,fetch-log,fetches,latest-releases,lookup-processes,' +
  'openapi-examples,org-history,org-parts,org-releases,orgs,outages,purges,ready/concurrent-writes,release-coverage,' +
  'release-edits,release-history,release-suppression,releases,repeats-and-positions,self-description,tags-and-notice,' +
  'tokens,webhook-deletion,webhook-deliveries,webhook-keys,whats-changed,withdrawn-things}';
// A mix can only get wrong how its stores wait for each other.
const aboutAllStores = '{orgs,batch-ingest,release-edits,repeats-and-positions,tokens}';
const aboutPositions = '{batch-ingest,release-edits,repeats-and-positions}';
const aboutTheBus = '{deliveries,self-description}';
// Who fetches holds turns, and writes its log, memory and standing together: on a server as in the folder.
const aboutFetches = '{fetch-source,schedule}';

const {
  MONGODB_URL_FOR_TESTS = '',
  KAFKA_BROKERS_FOR_TESTS = '',
  REAL_WITH_DOCKER = '',
  REQUIRE_REAL = '',
} = process.env;
const has = (address: string, name: string) =>
  address !== '' || REAL_WITH_DOCKER === '1' || REQUIRE_REAL.includes(name);
const hasMongo = has(MONGODB_URL_FOR_TESTS, 'mongodb');
const hasKafka = has(KAFKA_BROKERS_FOR_TESTS, 'kafka');
const realProjects = [
  ...(hasMongo && hasKafka
    ? [onServers('http on EventStoreDB stand-in, MongoDB and Kafka', 'eventstoredb,mongodb,kafka', aboutServers)]
    : []),
  ...(hasMongo && !hasKafka
    ? [onServers('http on EventStoreDB stand-in and MongoDB', 'eventstoredb,mongodb', aboutServers)]
    : []),
  ...(hasMongo
    ? [
        onServers('http on embedded events and MongoDB', 'mongodb', aboutPositions),
        onServers('fetching on embedded events and MongoDB', 'mongodb', aboutFetches, 'runtime/fetching'),
      ]
    : []),
  ...(hasKafka ? [onServers('http on embedded stores and Kafka', 'kafka', aboutTheBus)] : []),
];

export default defineConfig({
  test: {
    reporters: ['default', slowestFilesReporter],
    projects: [
      project('unit', `${units}/**/*.test.ts`, 30_000, { pool: 'threads', isolate: false, maxWorkers: 2 }),
      project('contract', 'adapters/**/*.test.ts', 60_000),
      project('service', '{runtime,records,compose,http,spec}/**/*.test.ts', 120_000),
      project('system', `system/**/!(${kills}).test.ts`, 120_000),
      project('kills', `{system,stack}/**/@(${kills}).test.ts`, 120_000, atTheEnd),
      onServers('http on EventStoreDB stand-in and embedded documents', 'eventstoredb', aboutAllStores),
      ...realProjects,
    ],
  },
});
