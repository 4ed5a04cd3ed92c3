import type { Figure } from './bench-report.ts';
import { percentile } from './worlds/percentile.ts';
import { benchNowMs } from './worlds/seeded-data.ts';
import { answerTimesMs, withConnections } from './worlds/http-connection.ts';
import { residentMiB } from './worlds/resident-memory.ts';
import { type ServedRegistry, untilQuiet, withServed } from './worlds/served-registry.ts';
import { withSettled } from './worlds/settled-registry.ts';

export const publicReadsShape = { orgs: 2_000, sourcesPerOrg: 5, bodyChars: 300, emit: false, hasPackages: true };
const releasesUnlessTold = 200_000;
const samples = 400;
const startsMeasured = 3;
/** Those of ten thousand sources, which a first minute begins with, are made for a quarter of an hour on MongoDB. */
const withoutSummaries = { CONTENT_PROVIDER: 'off' };
/** Else ten thousand sources that are nowhere are fetched again and again beside the reads, which `fetching` measures. */
const withoutFetches = { ROLES: 'http,projector,relay,deliverer' };

/** What a registry holds that is asked. */
export interface AskedRegistry {
  readonly orgs: number;
  readonly releases: number;
  /** About which org is asked; each time about another one of all when absent, so that what was read before helps little. */
  readonly orgOf?: (turn: number) => number;
}

const spread = (turn: number, { orgs, orgOf }: AskedRegistry): number => orgOf?.(turn) ?? (turn * 7_919) % orgs;

/** Everything was recorded within so many milliseconds of the first, one release each. */
const momentOf = (turn: number, { releases }: AskedRegistry): string =>
  new Date(benchNowMs + Math.floor((releases * (1 + (turn % 9))) / 10)).toISOString();

export interface PublicRead {
  readonly name: string;
  readonly path: (turn: number, asked: AskedRegistry) => string;
  readonly p95Max: number;
}

const org = (turn: number, asked: AskedRegistry): string => `/v1/orgs/org-${spread(turn, asked)}`;

export const publicReads: readonly PublicRead[] = [
  { name: 'org detail', path: org, p95Max: 8 },
  { name: 'org feed', path: (turn, asked) => `${org(turn, asked)}/releases`, p95Max: 10 },
  { name: 'latest releases', path: () => '/v1/releases/latest', p95Max: 10 },
  { name: 'source feed', path: (turn, asked) => `${org(turn, asked)}/sources/source-${turn % 5}/releases`, p95Max: 10 },
  { name: '500 orgs', path: (turn) => `/v1/orgs?limit=500&page=${1 + (turn % 4)}`, p95Max: 60 },
  { name: 'stats', path: () => '/v1/stats', p95Max: 30 },
  {
    name: 'what changed',
    path: (turn, asked) =>
      `/v1/whats-changed?ecosystem=npm&package=package-${spread(turn, asked)}-${turn % 5}&from=0.0.0&to=9.0.0`,
    p95Max: 15,
  },
  { name: 'org in the past', path: (turn, asked) => `${org(turn, asked)}?asOf=${momentOf(turn, asked)}`, p95Max: 20 },
  {
    name: 'org feed in the past',
    path: (turn, asked) => `${org(turn, asked)}/releases?asOf=${momentOf(turn, asked)}`,
    p95Max: 20,
  },
];

const readFigures = ({ port, pid }: ServedRegistry, releases: number, set: string): Promise<Figure[]> =>
  withConnections(port, 1, async (connections) => {
    const figures: Figure[] = [];
    for (const { name, path, p95Max } of publicReads) {
      // The first half lets the code be compiled.
      const times = await answerTimesMs(
        connections,
        (turn) => path(turn, { orgs: publicReadsShape.orgs, releases }),
        (asked) => asked >= 2 * samples,
      );
      const measured = times.slice(samples);
      const metric = `${name}, ${set}`;
      figures.push({ metric: `${metric}, p50`, value: percentile(measured, 0.5), unit: 'ms' });
      figures.push({ metric: `${metric}, p95`, value: percentile(measured, 0.95), unit: 'ms', atMost: p95Max });
    }
    return [...figures, { metric: `memory, ${set}`, value: residentMiB(pid), unit: 'MiB', atMost: 600 }];
  });

const figuresOf = (releases: number, onMongodb: boolean, keptIn: string | undefined): Promise<Figure[]> =>
  withSettled({ shape: { ...publicReadsShape, releases }, onMongodb, keptIn }, async ({ dataDir, settings }) => {
    const set = onMongodb ? 'MongoDB' : 'embedded';
    const served = { ...settings, ...withoutSummaries };
    const starts: number[] = [];
    for (let start = 0; start < startsMeasured; start += 1) {
      starts.push(await withServed(dataDir, ({ startSeconds }) => Promise.resolve(startSeconds), served));
    }
    const ready = { metric: `start until ready, ${set}`, value: percentile(starts, 0.5), unit: 's', atMost: 3 };
    const read = async (started: ServedRegistry): Promise<Figure[]> => {
      await untilQuiet(started); // threads that nobody waits for begin behind a start, and take a core for a second
      return readFigures(started, releases, set);
    };
    return [ready, ...(await withServed(dataDir, read, { ...served, ...withoutFetches }))];
  });

/** Each kind of public read of the running service, which keeps no answers, in a registry that has lived for a while. */
export async function runPublicReads({
  releases = releasesUnlessTold,
  data,
}: {
  readonly releases?: number | undefined;
  readonly data?: string | undefined;
}): Promise<Figure[]> {
  const embedded = await figuresOf(releases, false, data);
  if (!process.env['MONGODB_URL_FOR_TESTS']) return embedded;
  return [...embedded, ...(await figuresOf(releases, true, data))];
}
