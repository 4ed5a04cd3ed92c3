import { setTimeout as sleep } from 'node:timers/promises';
import { allProjections } from '../../projections/all-projections.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { openStores } from '../../src/compose/open-stores.ts';
import { openPurgeJobs, type PurgeJob } from '../../src/records/purge-jobs.ts';
import { rebuildProjection } from '../../src/runtime/projector/rebuild.ts';
import type { Figure } from './bench-report.ts';
import { failBench, inBenchFolder, secondsSince } from './worlds/bench-folder.ts';
import { answerTimesMs, withConnections } from './worlds/http-connection.ts';
import { fillRegistry } from './worlds/seeded-registry.ts';
import { buildRegistry, remove, type ServedRegistry, withServed } from './worlds/served-registry.ts';

const releasesInAll = 100_000;
const sources = 5;
const readers = 2;
const quietSeconds = 8;
const purgeSecondsMax = 600;
const pollMs = 100;

/** The first org is purged, the others are read meanwhile. */
const orgs = 4;
const readPath = (number: number): string => `/v1/orgs/org-${1 + (number % (orgs - 1))}/releases`;

const p95 = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? Number.NaN;

async function fill(dataDir: string, releases: number): Promise<void> {
  const { eventStore: store, readModels, close } = await openStores({ backends: { dataDir }, onFatal: failBench });
  try {
    // All orgs are of one size.
    await fillRegistry(store, { orgs, sourcesPerOrg: sources, releases: releases * orgs, bodyChars: 300, emit: false });
    for (const projection of allProjections) {
      await rebuildProjection(projection, { store, readModels, clock: systemClock, holder: 'bench' });
    }
  } finally {
    await close();
  }
}

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

async function measure(dataDir: string, served: ServedRegistry): Promise<Figure[]> {
  const { url, port } = served;
  const { id: orgId } = (await (await fetch(`${url}/v1/orgs/org-0`)).json()) as { id: string };
  return withConnections(port, readers, async (connections) => {
    await answerTimesMs(connections, readPath, (asked) => asked >= 500); // until the code is warm
    const quietMs = performance.now();
    const quiet = await answerTimesMs(connections, readPath, () => secondsSince(quietMs) >= quietSeconds);
    const startedMs = performance.now();
    await remove(served, `/v1/orgs/${orgId}?hard=true`);
    const answeredMs = performance.now() - startedMs;
    let seconds: number | null = null;
    let streams = 0;
    const purging = untilDone(dataDir, orgId).then((jobs) => {
      seconds = secondsSince(startedMs);
      streams = jobs.reduce((sum, { done }) => sum + done, 0);
    });
    const beside = await answerTimesMs(connections, readPath, () => seconds !== null);
    await purging;
    return [
      { metric: 'the hard delete answered', value: answeredMs, unit: 'ms' },
      {
        metric: `streams purged of an org, ${streams} in all`,
        value: streams / seconds!,
        unit: 'streams/s',
        atLeast: 2_000,
      },
      { metric: `feeds of other orgs, ${readers} readers, p95`, value: p95(quiet), unit: 'ms' },
      { metric: 'the same beside the purge, p95', value: p95(beside), unit: 'ms' },
      { metric: 'p95 beside the purge to the quiet one', value: p95(beside) / p95(quiet), unit: 'x', atMost: 2 },
    ];
  });
}

/** An org with many releases is deleted for good, from the request until its last text is gone, with readers of others. */
export const runPurge = ({ releases = releasesInAll }: { readonly releases: number | undefined }): Promise<Figure[]> =>
  inBenchFolder(async (dataDir) => {
    await buildRegistry(dataDir);
    await fill(dataDir, releases);
    return withServed(dataDir, (served) => measure(dataDir, served));
  });
