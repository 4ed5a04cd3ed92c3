import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure } from './bench-report.ts';
import { inBenchFolder, secondsSince } from './worlds/bench-folder.ts';
import { cpuSeconds } from './worlds/cpu-time.ts';
import { fillAll } from './worlds/filled-registry.ts';
import { answerTimesMs, uncached, withConnections } from './worlds/http-connection.ts';
import { percentile } from './worlds/percentile.ts';
import { httpProcessesOf } from './worlds/process-family.ts';
import { buildRegistry, type ServedRegistry, untilIndexed, untilQuiet, withServed } from './worlds/served-registry.ts';

const orgCount = 200;
const connectionCount = 16;
const rounds = 5;
const hotPerRound = 20_000;
const coldPerRound = 3_000;
const readySecondsMax = 60;

interface Service extends ServedRegistry {
  /** Of each of its processes. */
  readonly metricsPorts: readonly number[];
}

interface Load {
  readonly path: (turn: number) => string;
  readonly headers: string;
  readonly requests: number;
}

interface Measured {
  readonly perSecond: number;
  readonly perCpuSecond: number;
  /** Of the process that answered least. */
  readonly leastShare: number;
  readonly clientCores: number;
}

const cold: Load = {
  path: (turn) => `/v1/orgs/org-${turn % orgCount}/releases?limit=50`,
  headers: uncached,
  requests: coldPerRound,
};
const hot: Load = { path: () => '/v1/releases/latest', headers: '', requests: hotPerRound };

const median = (values: readonly number[]): number => percentile(values, 0.5);

/** Ports in a row that were free a moment ago. */
async function freePorts(count: number): Promise<number[]> {
  const open = async (port: number) => {
    const probe = createServer().listen(port, '127.0.0.1');
    await once(probe, 'listening');
    return probe;
  };
  const first = await open(0);
  const { port } = first.address() as { port: number };
  const ports = Array.from({ length: count }, (_, index) => port + index);
  const others = await Promise.all(ports.slice(1).map(open));
  for (const probe of [first, ...others]) {
    probe.close();
    await once(probe, 'close');
  }
  return ports;
}

const answersOf = async (port: number): Promise<number> => {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const counts = [...text.matchAll(/^registry_http_request_duration_seconds_count\{.*\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
};

const cpuOf = ({ pid }: Service): number => httpProcessesOf(pid).reduce((sum, each) => sum + cpuSeconds(each), 0);

const measure = (service: Service, { path, headers, requests }: Load): Promise<Measured> =>
  withConnections(service.port, connectionCount, async (connections) => {
    const answersBefore = await Promise.all(service.metricsPorts.map(answersOf));
    const cpuBefore = cpuOf(service);
    const ownBefore = process.cpuUsage();
    const begunMs = performance.now();
    const times = await answerTimesMs(connections, path, (asked) => asked >= requests, headers);
    const seconds = secondsSince(begunMs);
    const own = process.cpuUsage(ownBefore);
    const cpu = cpuOf(service) - cpuBefore;
    const answers = (await Promise.all(service.metricsPorts.map(answersOf))).map(
      (now, index) => now - answersBefore[index]!,
    );
    return {
      perSecond: times.length / seconds,
      perCpuSecond: times.length / cpu,
      leastShare: Math.min(...answers) / times.length,
      clientCores: (own.user + own.system) / 1_000_000 / seconds,
    };
  });

/** The services take turns, so that whatever else the machine does meets both alike. */
async function inTurns(services: readonly Service[], load: Load): Promise<Measured[][]> {
  const measured = services.map((): Measured[] => []);
  for (const service of services) await measure(service, load); // until the code is warm
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, service] of services.entries()) measured[index]!.push(await measure(service, load));
  }
  return measured;
}

async function withService<Result>(
  dataDir: string,
  threads: number,
  work: (service: Service) => Promise<Result>,
): Promise<Result> {
  const metricsPorts = await freePorts(threads);
  const settings = { HTTP_THREADS: String(threads), METRICS_PORT: String(metricsPorts[0]), EMBEDDER: 'off' };
  return withServed(
    dataDir,
    async (served) => {
      const metricsUrl = `http://127.0.0.1:${metricsPorts[0]}/metrics`;
      const begunMs = performance.now();
      const isWhole = async () =>
        (await (await fetch(metricsUrl)).text()).includes(`registry_http_processes ${threads}\n`);
      while (!(await isWhole())) {
        if (secondsSince(begunMs) > readySecondsMax) throw new Error('not all processes became ready');
        await sleep(100);
      }
      return work({ ...served, metricsPorts });
    },
    settings,
  );
}

function figuresOf(
  name: string,
  [one = [], two = []]: readonly Measured[][],
  targets: { readonly speed?: number; readonly cost?: number },
): Figure[] {
  const of = (measured: readonly Measured[], key: keyof Measured) => median(measured.map((each) => each[key]));
  const ratio = (key: keyof Measured) => median(two.map((each, round) => each[key] / one[round]![key]));
  return [
    { metric: `${name}, one process`, value: of(one, 'perSecond'), unit: 'requests/s' },
    { metric: `${name}, two`, value: of(two, 'perSecond'), unit: 'requests/s' },
    {
      metric: `${name}, two to one`,
      value: ratio('perSecond'),
      unit: 'x',
      ...(targets.speed && { atLeast: targets.speed }),
    },
    { metric: `${name}, cores of the client beside one`, value: of(one, 'clientCores'), unit: 'cores' },
    { metric: `${name}, cores of the client beside two`, value: of(two, 'clientCores'), unit: 'cores' },
    { metric: `${name}, CPU of one`, value: 1_000_000 / of(one, 'perCpuSecond'), unit: 'µs' },
    { metric: `${name}, CPU of two`, value: 1_000_000 / of(two, 'perCpuSecond'), unit: 'µs' },
    {
      metric: `${name}, requests per CPU-second, two to one`,
      value: ratio('perCpuSecond'),
      unit: 'x',
      ...(targets.cost && { atLeast: targets.cost }),
    },
    {
      metric: `${name}, share of the one of two that answers less`,
      value: of(two, 'leastShare'),
      unit: 'of 1',
      atLeast: 0.4,
    },
  ];
}

/**
 * Two processes behind a port against one. The client needs a core, or a part of it, of its own: on a machine of two cores
 * two processes have less than twice of what one has, so what a request costs is told beside what came through.
 */
export const runThreads = ({ releases = 20_000 }: { readonly releases?: number | undefined }): Promise<Figure[]> =>
  inBenchFolder(async (dataDir) => {
    await fillAll({ dataDir }, { orgs: orgCount, sourcesPerOrg: 5, releases, bodyChars: 300, emit: false });
    await buildRegistry(dataDir);
    return withService(dataDir, 1, async (one) => {
      await untilIndexed(one);
      return withService(dataDir, 2, async (two) => {
        for (const service of [one, two]) await untilQuiet(service);
        return [
          ...figuresOf('cold', await inTurns([one, two], cold), { speed: 1.7, cost: 0.9 }),
          ...figuresOf('hot', await inTurns([one, two], hot), { cost: 0.9 }),
        ];
      });
    });
  });
