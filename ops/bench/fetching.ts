import { setTimeout as sleep } from 'node:timers/promises';
import { createOrg } from '../../commands/org/create-org.ts';
import { createSource } from '../../commands/source/create-source.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { systemRandom } from '../../src/adapters/system/random.ts';
import { openStores } from '../../src/compose/stores/open-stores.ts';
import { nameOwners } from '../../src/domain/name/name-owners.ts';
import { createCommandRunner } from '../../src/runtime/commands/command-runner.ts';
import type { Figure } from './bench-report.ts';
import { percentile } from './worlds/percentile.ts';
import { failBench, inBenchFolder, secondsSince } from './worlds/bench-folder.ts';
import { type FeedServer, withFeedServer } from './worlds/feed-server.ts';
import { answerTimesMs, withConnections } from './worlds/http-connection.ts';
import { benchRequest } from './worlds/seeded-data.ts';
import { residentMiB } from './worlds/resident-memory.ts';
import { buildRegistry, type ServedRegistry, withServed } from './worlds/served-registry.ts';

const orgs = 200;
const sourcesPerOrg = 50;
const releasesEach = 2;
const readers = 1;
const quietSeconds = 5;
const secondsMax = 300;
const lookEachMs = 100;

const settings = {
  FETCH_ALLOW_PRIVATE_TARGETS: 'on',
  FETCH_PER_HOST: '0',
  FETCH_CONCURRENCY: '64',
};

const readPath = (turn: number): string => `/v1/orgs/org-${turn % orgs}/releases`;

/** Sources that are all due at once, because nobody has fetched them yet. */
async function fill(dataDir: string, feedsUrl: string): Promise<void> {
  const { eventStore: store, close } = await openStores({ backends: { dataDir }, onFatal: failBench });
  try {
    const commands = createCommandRunner({ store, clock: systemClock, random: systemRandom, nameOwners });
    let request = 0;
    const run = async (org: number): Promise<void> => {
      const { id: orgId } = await commands.run(createOrg, { name: `Org ${org}` }, benchRequest((request += 1)));
      for (let source = 0; source < sourcesPerOrg; source += 1) {
        const input = { orgId, name: `Source ${source}`, url: `${feedsUrl}/${org}/${source}`, type: 'feed' as const };
        await commands.run(createSource, input, benchRequest((request += 1)));
      }
    };
    for (let org = 0; org < orgs; org += 10) await Promise.all(Array.from({ length: 10 }, (_, at) => run(org + at)));
  } finally {
    await close();
  }
}

async function untilAllAsked({ asked }: FeedServer, { pid }: ServedRegistry): Promise<number[]> {
  const memories: number[] = [];
  const startedMs = performance.now();
  for (;;) {
    const { feeds } = await asked();
    if (feeds >= orgs * sourcesPerOrg) return memories;
    if (secondsSince(startedMs) > secondsMax) throw new Error(`only ${feeds} sources were fetched in time`);
    memories.push(residentMiB(pid));
    await sleep(lookEachMs);
  }
}

const quietFigure = (dataDir: string): Promise<number> =>
  withServed(dataDir, ({ port }) =>
    withConnections(port, readers, async (connections) => {
      const startedMs = performance.now();
      const times = await answerTimesMs(connections, readPath, () => secondsSince(startedMs) >= quietSeconds);
      return percentile(times.slice(times.length / 2), 0.95);
    }),
  );

async function fetchFigures(
  server: FeedServer,
  served: ServedRegistry,
): Promise<{ busyP95: number; figures: Figure[] }> {
  const startedMs = performance.now();
  let isOver = false;
  const reading = withConnections(served.port, readers, (connections) =>
    answerTimesMs(connections, readPath, () => isOver),
  );
  const memories = await untilAllAsked(server, served);
  const seconds = secondsSince(startedMs);
  isOver = true;
  const busyP95 = percentile(await reading, 0.95);
  const { feeds, twice } = await server.asked();
  const settled = memories.slice(Math.floor(memories.length / 3));
  return {
    busyP95,
    figures: [
      { metric: `${feeds} sources fetched that were due at once`, value: seconds, unit: 's' },
      { metric: 'fetches', value: feeds / seconds, unit: '1/s', atLeast: 200 },
      { metric: 'sources fetched twice', value: twice, unit: 'sources', atMost: 0 },
      { metric: 'memory at the end', value: memories.at(-1) ?? Number.NaN, unit: 'MiB' },
      {
        metric: 'memory in the last tenth to that of the first third',
        value: percentile(settled.slice(-Math.ceil(settled.length / 10)), 0.5) / settled[0]!,
        unit: 'x',
        atMost: 1.3,
      },
    ],
  };
}

interface Fetched {
  /** With everything in it that was fetched. */
  readonly quietP95: number;
  readonly busyP95: number;
  readonly figures: readonly Figure[];
}

const fetchAll = (server: FeedServer): Promise<Fetched> =>
  inBenchFolder(async (dataDir) => {
    await fill(dataDir, server.url);
    await buildRegistry(dataDir);
    const fetched = await withServed(dataDir, (served) => fetchFigures(server, served), {
      ...settings,
      FETCH_SCHEDULE: 'on',
    });
    return { ...fetched, quietP95: await quietFigure(dataDir) };
  });

/** Ten thousand sources that are due at once, at a local server, with readers beside. */
export const runFetching = async (): Promise<Figure[]> => {
  const { figures, quietP95, busyP95 } = await withFeedServer(releasesEach, fetchAll);
  return [
    ...figures,
    { metric: 'org feed without fetching, p95', value: quietP95, unit: 'ms' },
    { metric: 'org feed while all are fetched, p95', value: busyP95, unit: 'ms' },
    { metric: 'reads beside fetches to quiet ones, p95', value: busyP95 / quietP95, unit: 'x', atMost: 2 },
  ];
};
