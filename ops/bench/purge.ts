import { setTimeout as sleep } from 'node:timers/promises';
import { openStores } from '../../src/compose/stores/open-stores.ts';
import { openPurgeJobs, type PurgeJob } from '../../src/records/purge-jobs.ts';
import type { Figure } from './bench-report.ts';
import { failBench, inBenchFolder, secondsSince } from './worlds/bench-folder.ts';
import { cpuSeconds } from './worlds/cpu-time.ts';
import { percentile } from './worlds/percentile.ts';
import { answerTimesMs, withConnections } from './worlds/http-connection.ts';
import { fillAll } from './worlds/filled-registry.ts';
import { buildRegistry, remove, type ServedRegistry, untilIndexed, withServed } from './worlds/served-registry.ts';

const releasesInAll = 100_000;
const sources = 5;
const readers = 2;
const quietSeconds = 8;
const purgeSecondsMax = 600;
const pollMs = 100;

/**
 * The first two orgs are purged, the others are read meanwhile. Only the first is as large as was asked for: the time that
 * it takes to fill and index the others is not what is measured.
 */
const shares = [10, 3, 1, 1] as const;
const orgs = shares.length;
const sharesInAll = shares.reduce((sum, share) => sum + share, 0);
const readPath = (number: number): string => `/v1/orgs/org-${2 + (number % (orgs - 2))}/releases`;

const p95 = (values: readonly number[]): number => percentile(values, 0.95);

const fill = (dataDir: string, releases: number): Promise<void> =>
  fillAll(
    { dataDir },
    {
      orgs,
      sourcesPerOrg: sources,
      releases: Math.ceil((releases * sharesInAll) / shares[0]),
      shareOf: (org) => shares[org]!,
      bodyChars: 300,
      emit: false,
    },
  );

async function untilDone(dataDir: string, orgId: string): Promise<readonly PurgeJob[]> {
  const { ops, close } = await openStores({ backends: { dataDir }, onFatal: failBench });
  try {
    const jobs = await openPurgeJobs(ops);
    const startedMs = performance.now();
    for (;;) {
      const found = (await jobs.list()).filter((job) => job.id === orgId || job.orgId === orgId);
      if (found.length === sources + 1 && found.every(({ phase }) => phase === 'done')) return found;
      if (secondsSince(startedMs) > purgeSecondsMax) throw new Error('the purge does not come to its end');
      await sleep(pollMs);
    }
  } finally {
    await close();
  }
}

interface Purged {
  readonly answeredMs: number;
  readonly seconds: number;
  readonly streams: number;
}

/** From the request until the last text is gone. */
async function purge(dataDir: string, served: ServedRegistry, slug: string): Promise<Purged> {
  const { id: orgId } = (await (await fetch(`${served.url}/v1/orgs/${slug}`)).json()) as { id: string };
  const startedMs = performance.now();
  await remove(served, `/v1/orgs/${orgId}?hard=true`);
  const answeredMs = performance.now() - startedMs;
  const jobs = await untilDone(dataDir, orgId);
  return { answeredMs, seconds: secondsSince(startedMs), streams: jobs.reduce((sum, { done }) => sum + done, 0) };
}

async function aloneFigures(dataDir: string, served: ServedRegistry): Promise<Figure[]> {
  const cpuBefore = cpuSeconds(served.pid);
  const { answeredMs, seconds, streams } = await purge(dataDir, served, 'org-0');
  const cpuMs = (cpuSeconds(served.pid) - cpuBefore) * 1_000;
  return [
    { metric: 'the hard delete answered', value: answeredMs, unit: 'ms' },
    { metric: `${streams} streams of an org purged`, value: streams / seconds, unit: 'streams/s', atLeast: 2_000 },
    { metric: 'CPU of all threads for it', value: cpuMs / streams, unit: 'ms/stream' },
  ];
}

const besideFigures = (dataDir: string, served: ServedRegistry): Promise<Figure[]> =>
  withConnections(served.port, readers, async (connections) => {
    await answerTimesMs(connections, readPath, (asked) => asked >= 500); // until the code is warm
    const quietMs = performance.now();
    const quiet = await answerTimesMs(connections, readPath, () => secondsSince(quietMs) >= quietSeconds);
    let purged: Purged | null = null;
    const purging = purge(dataDir, served, 'org-1').then((done) => {
      purged = done;
    });
    const beside = await answerTimesMs(connections, readPath, () => purged !== null);
    await purging;
    const { seconds, streams } = purged!;
    // How fast it is beside readers has no goal: it takes turns with rests between as long as they ask, and says what is left.
    return [
      { metric: `the next org, with ${readers} readers of others`, value: streams / seconds, unit: 'streams/s' },
      { metric: 'their feeds before, p95', value: p95(quiet), unit: 'ms' },
      { metric: 'their feeds beside the purge, p95', value: p95(beside), unit: 'ms' },
      { metric: 'p95 beside the purge to the quiet one', value: p95(beside) / p95(quiet), unit: 'x', atMost: 2 },
    ];
  });

/** An org with many releases is deleted for good, and another one with readers of others beside. */
export const runPurge = ({ releases = releasesInAll }: { readonly releases: number | undefined }): Promise<Figure[]> =>
  inBenchFolder(async (dataDir) => {
    await buildRegistry(dataDir);
    await fill(dataDir, releases);
    const measure = async (served: ServedRegistry): Promise<Figure[]> => {
      await untilIndexed(served);
      return [...(await aloneFigures(dataDir, served)), ...(await besideFigures(dataDir, served))];
    };
    return withServed(dataDir, measure, { EMBEDDER: 'off' }); // which has its own benchmark, and goes on for hours here
  });
