import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure } from './bench-report.ts';
import { withDatabase } from './mongodb.ts';
import { type BareServer, withBareServer } from './worlds/bare-server.ts';
import { inBenchFolder } from './worlds/bench-folder.ts';
import {
  cpuMicrosEach,
  inTurns,
  type Load,
  type MeasuredServer,
  median,
  warmingRounds,
} from './worlds/cpu-of-requests.ts';
import { fillAll } from './worlds/filled-registry.ts';
import { type HttpReply, uncached, withConnectionsTo } from './worlds/http-connection.ts';
import { type PlainWorld, withPlainService } from './worlds/plain-service.ts';
import { residentMiB } from './worlds/resident-memory.ts';
import { besideWrites, enoughWriters, type WritesBeside, writesPerSecond } from './worlds/steady-writes.ts';
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
const differentPerTurn = 1_000;
/** For as long as a hundred writes take: the system tells CPU in hundredths of a second. */
const writtenRequests = 40_000;

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

/**
 * The service stores and projects in the process that answers, so its CPU beside writes is that of the writes, too. What a
 * read costs is what is left without them: the same number of writes that come as fast while nobody reads. In that is all
 * that writes do to reads: answers that get old, are made again and are compressed again.
 */
async function besideWritesFigures(served: ServedRegistry, name: string, beside: WritesBeside, atLeast?: number) {
  const reply = await replyOf(served, latestPath, '');
  const ownMicros: number[] = [];
  const writeMicros: number[] = [];
  const rates: number[] = [];
  return withBareServer(reply, async (bareServer): Promise<Figure[]> => {
    const load = { path: always(latestPath), headers: '', requests: writtenRequests };
    const withReaders = async (): Promise<number> => {
      const begunMs = performance.now();
      const both = await besideWrites(served, beside, () => cpuMicrosEach(served, load));
      const alone = await besideWrites(served, beside, () => sleep(performance.now() - begunMs));
      const ofOne = alone.micros / alone.writes;
      writeMicros.push(ofOne);
      rates.push(both.writes / both.seconds);
      ownMicros.push((both.micros - ofOne * both.writes) / load.requests);
      return both.micros / load.requests;
    };
    const [all = [], others = []] = await inTurns([withReaders, () => cpuMicrosEach(bareServer, load)]);
    const own = ownMicros.slice(-all.length); // those before were for warming up
    const ratios = (costs: readonly number[]): number => median(costs.map((cost, round) => others[round]! / cost));
    return [
      { metric: `${name}, CPU`, value: median(own), unit: 'µs' },
      { metric: `${name}, to the bare server`, value: ratios(own), unit: 'x', ...(atLeast && { atLeast }) },
      {
        metric: `${name}: writes that came`,
        value: median(rates),
        unit: '/s',
        ...(atLeast && { atLeast: 0.95 * writesPerSecond }),
      },
      { metric: `${name}: each of these writes without readers, CPU`, value: median(writeMicros), unit: 'µs' },
      { metric: `${name}, with what the writes cost, CPU`, value: median(all), unit: 'µs' },
      { metric: `${name}, with what the writes cost, to the bare server`, value: ratios(all), unit: 'x' },
    ];
  });
}

/**
 * Writes that wait for each other are fewer than wanted where one takes longer than its share of a second: what is asked for
 * are those that come in time, whoever still waits. The others tell what is left of the difference.
 */
async function writtenFigures(served: ServedRegistry): Promise<Figure[]> {
  const { items } = (await (await fetch(`${served.url}/v1/sources?limit=1`)).json()) as { items: { id: string }[] };
  const sourceId = items[0]!.id;
  const [inTime, inTurn] = [`hot, beside ${writesPerSecond} writes/s`, 'hot, beside writes one after the other'];
  return [
    ...(await besideWritesFigures(served, inTime, { sourceId, writers: enoughWriters }, 0.6)),
    ...(await besideWritesFigures(served, inTurn, { sourceId, writers: 1 })),
  ];
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

/** As many as there are addresses: each org in turn, in pages of some sizes. */
const orgFeedPath = (turn: number): string =>
  `/v1/orgs/org-${turn % orgCount}/releases?limit=${20 + (Math.floor(turn / orgCount) % (differentUrls / orgCount))}`;

/** An org is not written to the read models of releases alone: of all that is kept nothing is good any more. */
async function makeAllOld({ url }: ServedRegistry, round: number): Promise<void> {
  const change = { method: 'PATCH', headers: rootHeaders, body: JSON.stringify({ description: `Changed ${round}` }) };
  const { status } = await fetch(`${url}/v1/orgs/org-0`, change);
  if (status !== 200) throw new Error(`an org could not be changed: ${status}`);
}

async function coldFigures(served: ServedRegistry, latestMicrosMax: number): Promise<Figure[]> {
  const [latest = [], org = []] = await inTurns([
    () => cpuMicrosEach(served, { path: always(coldPath), headers: uncached, requests: coldPerRound }),
    () => cpuMicrosEach(served, { path: orgFeedPath, headers: uncached, requests: coldPerRound }),
  ]);
  return [
    { metric: 'cold latest, CPU', value: median(latest), unit: 'µs', atMost: latestMicrosMax },
    { metric: 'cold org feed, CPU', value: median(org), unit: 'µs' },
    ...(await differentFigures(served, median(org))),
  ];
}

/**
 * Each address is asked for once as everybody does, and once in a way that nothing is kept of: some of either in turn, and each
 * of both as often before the other, which finds in the memory of the store what the first has read. Before that, the code of
 * both gets warm with short pages of the same orgs; those that are kept are made old each time, or they would only be found.
 */
async function differentFigures(served: ServedRegistry, orgFeedMicros: number): Promise<Figure[]> {
  const from = (first: number) => (turn: number) => orgFeedPath(first + turn);
  const costs = { kept: 0, cold: 0 };
  const parts = differentUrls / differentPerTurn;
  const before = residentMiB(served.pid);
  const short = (turn: number): string => `/v1/orgs/org-${turn % orgCount}/releases?limit=1`;
  for (let round = 0; round < warmingRounds; round += 1) {
    await makeAllOld(served, round);
    for (const headers of [uncached, '']) await cpuMicrosEach(served, { path: short, headers, requests: coldPerRound });
  }
  for (let part = 0; part < parts; part += 1) {
    const load = { path: from(part * differentPerTurn), requests: differentPerTurn };
    for (const way of part % 2 === 0 ? (['cold', 'kept'] as const) : (['kept', 'cold'] as const)) {
      costs[way] += (await cpuMicrosEach(served, { ...load, headers: way === 'cold' ? uncached : '' })) / parts;
    }
  }
  const again = await cpuMicrosEach(served, { path: orgFeedPath, headers: '', requests: differentUrls });
  return [
    { metric: `${differentUrls} addresses in turn, nothing kept, CPU`, value: costs.cold, unit: 'µs' },
    { metric: `${differentUrls} addresses in turn, first time, CPU`, value: costs.kept, unit: 'µs' },
    { metric: 'the first time to nothing kept', value: costs.kept / costs.cold, unit: 'x', atMost: 1 },
    { metric: 'the first time to the cold org feed', value: costs.kept / orgFeedMicros, unit: 'x' },
    { metric: 'the same addresses, second time, CPU', value: again, unit: 'µs' },
    { metric: 'the second time to nothing kept', value: again / costs.cold, unit: 'x' },
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

async function refusedFigures(served: ServedRegistry): Promise<Figure[]> {
  await untilQuiet(served);
  // Once in a minute one is let in.
  return comparedFigures(served, { name: 'beyond the limit', headers: '', statuses: [200, 429], atLeast: 0.7 });
}

/**
 * Vectors, and the overviews and summaries of all that is there, which are begun a minute after the start, go on for long and
 * have their own benchmarks: beside them, most of the CPU of the process would be theirs.
 */
const settings = { EMBEDDER: 'off', CONTENT_PROVIDER: 'off' };

/** Of a service that is quiet, on either set of stores. */
const servedParts = ['ready', 'cold', 'writes'] as const;
type ServedPart = (typeof servedParts)[number];

const onMongodb = (part: ServedPart) => `${part}-on-mongodb` as const;
const hotParts = [...servedParts, 'limit', ...servedParts.map(onMongodb)] as const;
type HotPart = (typeof hotParts)[number];

type FiguresByPart = Readonly<Record<ServedPart, (served: ServedRegistry) => Promise<Figure[]>>>;

const measureParts =
  (parts: readonly ServedPart[], figuresOf: FiguresByPart) =>
  async (served: ServedRegistry): Promise<Figure[]> => {
    await untilIndexed(served);
    await untilQuiet(served);
    const figures: Figure[] = [];
    for (const part of parts) figures.push(...(await figuresOf[part](served)));
    return figures;
  };

interface Measured {
  readonly releases: number;
  readonly isWanted: (part: HotPart) => boolean;
}

const embeddedFigures = ({ releases, isWanted }: Measured): Promise<Figure[]> =>
  inBenchFolder(async (dataDir) => {
    const parts = servedParts.filter(isWanted);
    if (parts.length === 0 && !isWanted('limit')) return [];
    await fillAll({ dataDir }, { ...shape, releases });
    await buildRegistry(dataDir);
    const measure = measureParts(parts, {
      ready: readyFigures,
      cold: async (served) => [...(await besidePlainFigures(served, releases)), ...(await coldFigures(served, 150))],
      writes: writtenFigures,
    });
    const limited = { ...settings, RATE_LIMIT_ANONYMOUS: '1' };
    return [
      ...(await withServed(dataDir, measure, settings)),
      ...(isWanted('limit') ? await withServed(dataDir, refusedFigures, limited) : []),
    ];
  });

const mongodbFigures = (mongodbUrl: string, { releases, isWanted }: Measured): Promise<Figure[]> =>
  inBenchFolder(async (dataDir) => {
    const parts = servedParts.filter((part) => isWanted(onMongodb(part)));
    if (parts.length === 0) return [];
    await fillAll({ dataDir, mongodbUrl }, { ...shape, releases });
    await buildRegistry(dataDir);
    const measure = measureParts(parts, {
      ready: readyFigures,
      cold: (served) => coldFigures(served, 400),
      writes: writtenFigures,
    });
    const figures = await withServed(dataDir, measure, { ...settings, ...mongodbSettings(mongodbUrl) });
    return figures.map((figure) => ({ ...figure, metric: `${figure.metric}, on MongoDB` }));
  });

interface HotOptions {
  readonly releases?: number | undefined;
  /** One of them instead of all. */
  readonly part?: string | undefined;
}

/** Answers that are ready, against a server that does nothing but send the same bytes and headers; and those that are made. */
export async function runHot({ releases = 200_000, part }: HotOptions): Promise<Figure[]> {
  if (part !== undefined && !hotParts.some((known) => known === part)) {
    throw new Error(`there is no part ${part}: it is one of ${hotParts.join(', ')}`);
  }
  const measured: Measured = { releases, isWanted: (each) => part === undefined || part === each };
  const embedded = await embeddedFigures(measured);
  if (!process.env['MONGODB_URL_FOR_TESTS']) return embedded;
  return [...embedded, ...(await withDatabase((url) => mongodbFigures(url, measured)))];
}
