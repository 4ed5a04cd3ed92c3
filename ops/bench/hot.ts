import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure } from './bench-report.ts';
import { withDatabase } from './mongodb.ts';
import { type BareServer, withBareServer } from './worlds/bare-server.ts';
import { inBenchFolder, secondsSince } from './worlds/bench-folder.ts';
import { cpuMicrosEach, inTurns, type Load, type MeasuredServer, median } from './worlds/cpu-of-requests.ts';
import { fillAll } from './worlds/filled-registry.ts';
import { type HttpReply, uncached, withConnectionsTo } from './worlds/http-connection.ts';
import { type PlainWorld, withPlainService } from './worlds/plain-service.ts';
import { residentMiB } from './worlds/resident-memory.ts';
import {
  buildRegistry,
  mongodbSettings,
  rootHeaders,
  type ServedRegistry,
  untilIndexed,
  untilQuiet,
  withServed,
} from './worlds/served-registry.ts';

const orgCount = 2_000;
const shape = { orgs: orgCount, sourcesPerOrg: 5, bodyChars: 300, emit: false };
const requestsPerRound = 20_000;
const coldPerRound = 2_000;
const differentUrls = 10_000;
const writesPerSecond = 50;

const latestPath = '/v1/releases/latest';
/** Bypasses everything that is kept. */
const coldPath = '/v1/releases/latest?count=11';

const always = (path: string) => () => path;

const replyOf = (
  { port, statuses }: Pick<MeasuredServer, 'port'> & Pick<Load, 'statuses'>,
  path: string,
  headers: string,
): Promise<HttpReply> =>
  withConnectionsTo({ port, statuses }, 1, async ([connection]) => {
    await connection!.get(path, headers); // what is asked for first is not ready yet
    return connection!.get(path, headers);
  });

interface Compared {
  readonly name: string;
  readonly headers: string;
  /** How the bare server is asked, if not in the same way. */
  readonly bare?: HttpReply;
  readonly statuses?: readonly number[];
  readonly atLeast: number;
}

async function comparedFigures(served: MeasuredServer, compared: Compared): Promise<Figure[]> {
  const { name, headers, bare, statuses = [200, 304], atLeast } = compared;
  const reply = bare ?? (await replyOf({ ...served, statuses }, latestPath, headers));
  return withBareServer(reply, async (bareServer: BareServer) => {
    const load = { path: always(latestPath), headers, requests: requestsPerRound, statuses };
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

interface Latest {
  readonly releases: readonly Record<string, unknown>[];
}

/** Beside a service that a team would write by hand, with the same releases and the same answer. */
async function besidePlainFigures(served: ServedRegistry, releases: number): Promise<Figure[]> {
  const itemsOf = async (server: Pick<MeasuredServer, 'port'>): Promise<Latest['releases']> =>
    (JSON.parse(String((await replyOf(server, coldPath, uncached)).body)) as Latest).releases;
  const items = await itemsOf(served);
  const world = { ...shape, releases, items: items as PlainWorld['items'] };
  return withPlainService(world, async (plain) => {
    const fieldsOf = (list: Latest['releases']): string =>
      list.map((item) => Object.keys(item).sort().join()).join('\n');
    if (fieldsOf(await itemsOf(plain)) !== fieldsOf(items)) throw new Error('the plain service answers something else');
    const load = { path: always(coldPath), headers: uncached, requests: coldPerRound };
    const [own = [], others = []] = await inTurns([
      () => cpuMicrosEach(served, load),
      () => cpuMicrosEach(plain, load),
    ]);
    return [
      { metric: 'cold latest, from a plain Fastify + better-sqlite3 service, CPU', value: median(others), unit: 'µs' },
      {
        metric: 'cold latest to the plain service',
        value: median(own.map((cost, round) => cost / others[round]!)),
        unit: 'x',
        atMost: 0.6,
      },
    ];
  });
}

async function coldFigures(served: ServedRegistry, latestMicrosMax: number): Promise<Figure[]> {
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
    { metric: 'cold latest, CPU', value: median(latest), unit: 'µs', atMost: latestMicrosMax },
    { metric: 'cold org feed, CPU', value: median(org), unit: 'µs' },
    { metric: `${differentUrls} addresses in turn, first time, CPU`, value: different, unit: 'µs' },
    { metric: 'the same to the cold org feed', value: different / median(org), unit: 'x', atMost: 1 },
    { metric: 'the same, second time, CPU', value: again, unit: 'µs' },
    { metric: 'memory that these took', value: residentMiB(served.pid) - before, unit: 'MiB', atMost: 128 },
  ];
}

async function readyFigures(served: ServedRegistry): Promise<Figure[]> {
  const plain = await replyOf(served, latestPath, '');
  const tag = /\r\netag: (\S+)/i.exec(plain.head)?.[1] ?? '';
  const unchanged = { name: '304', headers: `If-None-Match: ${tag}\r\n`, bare: plain, atLeast: 0.95 };
  return [
    { metric: `bytes of ${latestPath}`, value: plain.body.length, unit: 'bytes' },
    ...(await comparedFigures(served, { name: 'hot', headers: '', atLeast: 0.85 })),
    ...(await comparedFigures(served, { name: 'gzip', headers: 'Accept-Encoding: gzip\r\n', atLeast: 0.85 })),
    ...(await comparedFigures(served, unchanged)),
  ];
}

const refusedFigures = (served: ServedRegistry): Promise<Figure[]> =>
  // Once in a minute one is let in.
  comparedFigures(served, { name: 'beyond the limit', headers: '', statuses: [200, 429], atLeast: 0.7 });

/** The search index goes on for long, and has its own benchmark. */
const settings = { EMBEDDER: 'off' };

const embeddedFigures = (releases: number): Promise<Figure[]> =>
  inBenchFolder(async (dataDir) => {
    await fillAll({ dataDir }, { ...shape, releases });
    await buildRegistry(dataDir);
    const measure = async (served: ServedRegistry): Promise<Figure[]> => {
      await untilIndexed(served);
      await untilQuiet(served);
      return [
        ...(await readyFigures(served)),
        ...(await besidePlainFigures(served, releases)),
        ...(await coldFigures(served, 150)),
        ...(await writtenFigures(served)),
      ];
    };
    return [
      ...(await withServed(dataDir, measure, settings)),
      ...(await withServed(dataDir, refusedFigures, { ...settings, RATE_LIMIT_ANONYMOUS: '1' })),
    ];
  });

const mongodbFigures = (mongodbUrl: string, releases: number): Promise<Figure[]> =>
  inBenchFolder(async (dataDir) => {
    await fillAll({ dataDir, mongodbUrl }, { ...shape, releases });
    await buildRegistry(dataDir);
    const measure = async (served: ServedRegistry): Promise<Figure[]> => {
      await untilIndexed(served);
      await untilQuiet(served);
      return [...(await readyFigures(served)), ...(await coldFigures(served, 400)), ...(await writtenFigures(served))];
    };
    const figures = await withServed(dataDir, measure, { ...settings, ...mongodbSettings(mongodbUrl) });
    return figures.map((figure) => ({ ...figure, metric: `${figure.metric}, on MongoDB` }));
  });

/** Answers that are ready, against a server that does nothing but send the same bytes and headers; and those that are made. */
export async function runHot({ releases = 200_000 }: { readonly releases?: number | undefined }): Promise<Figure[]> {
  const embedded = await embeddedFigures(releases);
  if (!process.env['MONGODB_URL_FOR_TESTS']) return embedded;
  return [...embedded, ...(await withDatabase((url) => mongodbFigures(url, releases)))];
}
