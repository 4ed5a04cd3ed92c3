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

async function coldTimes({ withColdStores }: PastRegistry, read: Read, orgs: readonly number[]): Promise<number[]> {
  const times: number[] = [];
  for (const org of orgs) {
    await withColdStores(async (deps) => {
      const startedMs = performance.now();
      await read(deps, org);
      times.push(performance.now() - startedMs);
    });
  }
  return times.sort((a, b) => a - b);
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
      const times = await coldTimes(registry, read, asked);
      const metric = `cold ${name}, ${orgs} orgs of ${releasesPerOrg} releases, ${revisedShare * 100} % revised since`;
      figures.push({ metric: `${metric}, p50`, value: times[100]!, unit: 'ms' });
      figures.push({ metric: `${metric}, p95`, value: times[190]!, unit: 'ms', atMost: coldMsMax });
    }
    return figures;
  });

const largest = (releases: number, revisedShare: number): Promise<Figure[]> =>
  withRegistry({ orgs: 1, releasesPerOrg: releases, revisedShare }, async (registry) => {
    const figures: Figure[] = [];
    for (const [name, read] of Object.entries(reads)) {
      const metric = `cold ${name}, one org of ${releases} releases, ${revisedShare * 100} % revised since`;
      const [ms] = await coldTimes(registry, read, [0]);
      figures.push({ metric, value: ms!, unit: 'ms' });
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
