import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure } from './bench-report.ts';
import { type BareServer, withBareServer } from './worlds/bare-server.ts';
import { inBenchFolder, secondsSince } from './worlds/bench-folder.ts';
import { cpuSeconds } from './worlds/cpu-time.ts';
import { fillAll } from './worlds/filled-registry.ts';
import { answerTimesMs, type HttpReply, uncached, withConnections } from './worlds/http-connection.ts';
import { percentile } from './worlds/percentile.ts';
import { residentMiB } from './worlds/resident-memory.ts';
import {
  buildRegistry,
  rootHeaders,
  type ServedRegistry,
  untilIndexed,
  untilQuiet,
  withServed,
} from './worlds/served-registry.ts';

const orgCount = 2_000;
const connectionCount = 16;
const rounds = 5;
const requestsPerRound = 20_000;
const coldPerRound = 2_000;
const differentUrls = 10_000;
const writesPerSecond = 50;

const latestPath = '/v1/releases/latest';
/** Bypasses everything that is kept. */
const coldPath = '/v1/releases/latest?count=11';

interface Server {
  readonly port: number;
  readonly pid: number;
}

interface Load {
  readonly path: (turn: number) => string;
  readonly headers: string;
  readonly requests: number;
}

const median = (values: readonly number[]): number => percentile(values, 0.5);

const always = (path: string) => () => path;

/** Of all threads of the server. */
const cpuMicrosEach = ({ port, pid }: Server, { path, headers, requests }: Load): Promise<number> =>
  withConnections(port, connectionCount, async (connections) => {
    const before = cpuSeconds(pid);
    const times = await answerTimesMs(connections, path, (asked) => asked >= requests, headers);
    return ((cpuSeconds(pid) - before) * 1_000_000) / times.length;
  });

/** The servers take turns, so that whatever else the machine does meets both alike. */
async function inTurns(loads: readonly (() => Promise<number>)[]): Promise<number[][]> {
  const costs = loads.map((): number[] => []);
  for (const load of loads) await load(); // until the code is warm
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, load] of loads.entries()) costs[index]!.push(await load());
  }
  return costs;
}

const replyOf = ({ port }: Server, path: string, headers: string): Promise<HttpReply> =>
  withConnections(port, 1, async ([connection]) => {
    await connection!.get(path, headers); // what is asked for first is not ready yet
    return connection!.get(path, headers);
  });

interface Compared {
  readonly name: string;
  readonly headers: string;
  /** How the bare server is asked, if not in the same way. */
  readonly bare?: HttpReply;
  readonly atLeast: number;
}

async function comparedFigures(served: Server, { name, headers, bare, atLeast }: Compared): Promise<Figure[]> {
  const reply = bare ?? (await replyOf(served, latestPath, headers));
  return withBareServer(reply, async (bareServer: BareServer) => {
    const load = { path: always(latestPath), headers, requests: requestsPerRound };
    const [own = [], others = []] = await inTurns([
      () => cpuMicrosEach(served, load),
      () => cpuMicrosEach(bareServer, load),
    ]);
    return [
      { metric: `${name}, CPU`, value: median(own), unit: 'µs' },
      { metric: `${name}, from a bare server, CPU`, value: median(others), unit: 'µs' },
      {
        metric: `${name} to the bare server`,
        value: median(own.map((cost, round) => others[round]! / cost)),
        unit: 'x',
        atLeast,
      },
    ];
  });
}

/** Releases come in while somebody reads; answers how to stop it. */
function beginWrites({ url }: ServedRegistry, sourceId: string): () => Promise<void> {
  let isOver = false;
  let written = 0;
  const begunMs = performance.now();
  const write = async (): Promise<void> => {
    while (!isOver) {
      const version = `9.${(written += 1)}.0`;
      const body = JSON.stringify({ releases: [{ title: version, version }] });
      const address = `${url}/v1/sources/${sourceId}/releases/batch`;
      const response = await fetch(address, { method: 'POST', headers: rootHeaders, body });
      if (!response.ok) throw new Error(`a write was answered with ${response.status}`);
      await response.arrayBuffer();
      await sleep(Math.max(0, (written / writesPerSecond) * 1_000 - secondsSince(begunMs) * 1_000));
    }
  };
  const writing = write();
  return async () => {
    isOver = true;
    await writing;
  };
}

async function writtenFigures(served: ServedRegistry): Promise<Figure[]> {
  const { items } = (await (await fetch(`${served.url}/v1/sources?limit=1`)).json()) as { items: { id: string }[] };
  const reply = await replyOf(served, latestPath, '');
  return withBareServer(reply, async (bareServer) => {
    const load = { path: always(latestPath), headers: '', requests: requestsPerRound };
    const besideWrites = async () => {
      const end = beginWrites(served, items[0]!.id);
      const cost = await cpuMicrosEach(served, load);
      await end();
      return cost;
    };
    const [own = [], others = []] = await inTurns([besideWrites, () => cpuMicrosEach(bareServer, load)]);
    const ratios = own.map((cost, round) => others[round]! / cost);
    return [
      {
        metric: `hot, beside ${writesPerSecond} writes/s, with what the writes cost, CPU`,
        value: median(own),
        unit: 'µs',
      },
      { metric: 'the same to the bare server', value: median(ratios), unit: 'x', atLeast: 0.6 },
    ];
  });
}

async function coldFigures(served: ServedRegistry): Promise<Figure[]> {
  const many = (turn: number): string =>
    `/v1/orgs/org-${turn % orgCount}/releases?limit=${20 + (Math.floor(turn / orgCount) % 5)}`;
  const [latest = [], org = []] = await inTurns([
    () => cpuMicrosEach(served, { path: always(coldPath), headers: uncached, requests: coldPerRound }),
    () => cpuMicrosEach(served, { path: many, headers: uncached, requests: coldPerRound }),
  ]);
  const before = residentMiB(served.pid);
  const different = await cpuMicrosEach(served, { path: many, headers: '', requests: differentUrls });
  const again = await cpuMicrosEach(served, { path: many, headers: '', requests: differentUrls });
  return [
    { metric: 'cold latest, CPU', value: median(latest), unit: 'µs', atMost: 150 },
    { metric: 'cold org feed, CPU', value: median(org), unit: 'µs' },
    { metric: `${differentUrls} addresses in turn, first time, CPU`, value: different, unit: 'µs' },
    { metric: 'the same to the cold org feed', value: different / median(org), unit: 'x', atMost: 1 },
    { metric: 'the same, second time, CPU', value: again, unit: 'µs' },
    { metric: 'memory that these took', value: residentMiB(served.pid) - before, unit: 'MiB', atMost: 128 },
  ];
}

/** Answers that are ready, against a server that does nothing but send the same bytes and headers. */
export const runHot = ({ releases = 200_000 }: { readonly releases?: number | undefined }): Promise<Figure[]> =>
  inBenchFolder(async (dataDir) => {
    await fillAll({ dataDir }, { orgs: orgCount, sourcesPerOrg: 5, releases, bodyChars: 300, emit: false });
    await buildRegistry(dataDir);
    const measure = async (served: ServedRegistry): Promise<Figure[]> => {
      await untilIndexed(served);
      await untilQuiet(served);
      const plain = await replyOf(served, latestPath, '');
      const tag = /\r\netag: (\S+)/i.exec(plain.head)?.[1] ?? '';
      return [
        { metric: `bytes of ${latestPath}`, value: plain.body.length, unit: 'bytes' },
        ...(await comparedFigures(served, { name: 'hot', headers: '', atLeast: 0.85 })),
        ...(await comparedFigures(served, { name: 'gzip', headers: 'Accept-Encoding: gzip\r\n', atLeast: 0.85 })),
        ...(await comparedFigures(served, {
          name: '304',
          headers: `If-None-Match: ${tag}\r\n`,
          bare: plain,
          atLeast: 0.95,
        })),
        ...(await coldFigures(served)),
        ...(await writtenFigures(served)),
      ];
    };
    return withServed(dataDir, measure, { EMBEDDER: 'off' }); // which goes on for long, and has its own benchmark
  });
