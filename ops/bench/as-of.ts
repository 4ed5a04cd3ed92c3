import { orgDetailAt } from '../../queries/past/org-detail-at.ts';
import { orgReleasesAt } from '../../queries/past/org-releases-at.ts';
import type { PastDeps } from '../../queries/past/past-deps.ts';
import { releaseDetailAt } from '../../queries/past/release-detail-at.ts';
import { derivedId } from '../../src/kernel/ids.ts';
import type { Figure } from './bench-report.ts';
import { inBenchFolder } from './worlds/bench-folder.ts';
import { orgIdOf } from './worlds/grown-events.ts';
import { longestBlockMs } from './worlds/longest-block.ts';
import { benchThenMs as atMs, createPastRegistry, type PastRegistry, type PastShape } from './worlds/past-registry.ts';
import { benchNowMs } from './worlds/seeded-data.ts';

const releasesPerOrg = 100;
const releasesUnlessTold = 200_000;
const coldMsMax = 20;
const asking = { nowMs: benchNowMs, admin: false };

type Read = (deps: PastDeps, org: number) => Promise<unknown>;

const reads: Readonly<Record<string, Read>> = {
  'org detail': (deps, org) => orgDetailAt(deps, { org: orgIdOf(org), atMs }, asking),
  'org feed': (deps, org) => {
    const filters = { sourceType: null, kind: null, product: null, sinceMs: null, untilMs: null };
    const lanes = { includePrereleases: false, includeCoverage: false };
    const paging = { limit: 20, cursor: null, sent: {} };
    return orgReleasesAt(deps, { org: orgIdOf(org), atMs, ...filters, ...lanes, ...paging }, asking);
  },
  release: (deps, org) => releaseDetailAt(deps, { release: derivedId('rel', String(org), '0'), atMs }, asking),
};

/** By the clock and by the processor, which does not count what other programs take; each in ascending order. */
async function coldTimes({ withColdStores }: PastRegistry, read: Read, orgs: readonly number[]) {
  const clockMs: number[] = [];
  const cpuMs: number[] = [];
  for (const org of orgs) {
    await withColdStores(async (deps) => {
      const startedMs = performance.now();
      const before = process.cpuUsage();
      await read(deps, org);
      const { user, system } = process.cpuUsage(before);
      clockMs.push(performance.now() - startedMs);
      cpuMs.push((user + system) / 1_000);
    });
  }
  const ascending = (times: number[]) => times.sort((a, b) => a - b);
  return { clockMs: ascending(clockMs), cpuMs: ascending(cpuMs) };
}

const withRegistry = (shape: PastShape, work: (registry: PastRegistry) => Promise<Figure[]>): Promise<Figure[]> =>
  inBenchFolder(async (folder) => {
    const registry = await createPastRegistry(folder, shape);
    try {
      return await work(registry);
    } finally {
      await registry.close();
    }
  });

const usual = (orgs: number, revisedShare: number): Promise<Figure[]> =>
  withRegistry({ orgs, releasesPerOrg, revisedShare }, async (registry) => {
    const figures: Figure[] = [];
    const asked = Array.from({ length: 200 }, (_, turn) => Math.floor((turn * orgs) / 200));
    for (const [name, read] of Object.entries(reads)) {
      const { clockMs, cpuMs } = await coldTimes(registry, read, asked);
      const metric = `cold ${name}, ${orgs} orgs of ${releasesPerOrg} releases, ${revisedShare * 100} % revised since`;
      figures.push({ metric: `${metric}, p50`, value: clockMs[100]!, unit: 'ms' });
      figures.push({ metric: `${metric}, p95`, value: clockMs[190]!, unit: 'ms', atMost: coldMsMax });
      figures.push({ metric: `${metric}, p95`, value: cpuMs[190]!, unit: 'ms of CPU' });
    }
    return figures;
  });

const largest = (releases: number, revisedShare: number): Promise<Figure[]> =>
  withRegistry({ orgs: 1, releasesPerOrg: releases, revisedShare }, async (registry) => {
    const figures: Figure[] = [];
    for (const [name, read] of Object.entries(reads)) {
      const metric = `cold ${name}, one org of ${releases} releases, ${revisedShare * 100} % revised since`;
      const { clockMs, cpuMs } = await coldTimes(registry, read, [0]);
      figures.push({ metric, value: clockMs[0]!, unit: 'ms' }, { metric, value: cpuMs[0]!, unit: 'ms of CPU' });
      await registry.withColdStores(async (deps) => {
        const value = await longestBlockMs(() => read(deps, 0));
        figures.push({ metric: `${metric}, longest time that others wait`, value, unit: 'ms' });
      });
    }
    return figures;
  });

/** What it costs to ask about a moment in the past. */
export const runAsOf = async ({
  releases = releasesUnlessTold,
}: {
  readonly releases?: number | undefined;
}): Promise<Figure[]> => [
  ...(await usual(Math.ceil(releases / releasesPerOrg), 0.1)),
  ...(await usual(100, 1)),
  ...(await largest(Math.ceil(releases / 2), 0.1)),
];
