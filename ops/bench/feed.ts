import { latestReleases } from '../../queries/releases/latest-releases.ts';
import { orgReleases } from '../../queries/orgs/org-releases.ts';
import type { QueryDeps } from '../../queries/shape/query-deps.ts';
import { inBenchFolder } from './worlds/bench-folder.ts';
import type { Figure } from './bench-report.ts';
import { createFeedWorld, type FeedWorld, isVeiledOrg, orgCount } from './worlds/feed-world.ts';
import { benchNowMs } from './worlds/seeded-data.ts';
import { percentile } from './worlds/percentile.ts';

const smallReleases = 10_000;
export const largeReleases = 200_000;
const pageItems = 20;

const asking = { nowMs: benchNowMs + 86_400_000, admin: false };
const noFilter = { sinceMs: null, untilMs: null, includePrereleases: false, includeCoverage: false };

const latest = (deps: QueryDeps) =>
  latestReleases(
    deps,
    { ...noFilter, source: null, org: null, count: pageItems, exclude: [], minImportance: null },
    asking,
  );

interface OrgPage {
  readonly org: number;
  readonly cursor?: string | null;
  readonly limit?: number;
  readonly includePrereleases?: boolean;
}

const orgPage = (deps: QueryDeps, { org, ...page }: OrgPage) => {
  const input = { ...noFilter, org: `org-${org}`, sourceType: null, kind: null, product: null };
  return orgReleases(deps, { ...input, limit: pageItems, cursor: null, sent: {}, ...page }, asking);
};

const allOrgs = Array.from({ length: orgCount }, (_, org) => org);
const plainOrgs = allOrgs.filter((org) => !isVeiledOrg(org));
const veiledOrgs = allOrgs.filter(isVeiledOrg);

/** Cursors far into the feed of each org, yet with a full page behind them also where releases are few. */
export async function deepCursors({ releases, withColdModels }: FeedWorld): Promise<(string | null)[]> {
  const limit = Math.floor((releases / orgCount) * 0.2);
  return withColdModels(async (deps) => {
    const cursors: (string | null)[] = [];
    for (const org of plainOrgs) cursors.push((await orgPage(deps, { org, limit })).pagination.nextCursor);
    return cursors;
  });
}

interface Answer {
  readonly releases: readonly unknown[];
}

export interface Page {
  readonly metric: string;
  readonly read: (deps: QueryDeps, world: FeedWorld, sample: number) => Promise<Answer | Buffer>;
}

export function pagesOf(cursors: ReadonlyMap<FeedWorld, readonly (string | null)[]>): Page[] {
  const turn = (sample: number, list: readonly unknown[]) => sample % list.length;
  return [
    { metric: 'latest releases', read: latest },
    {
      metric: 'org feed, first page',
      read: (deps, _, sample) => orgPage(deps, { org: plainOrgs[turn(sample, plainOrgs)]! }),
    },
    {
      metric: 'org feed, deep page',
      read: (deps, world, sample) => {
        const at = turn(sample, plainOrgs);
        return orgPage(deps, { org: plainOrgs[at]!, cursor: cursors.get(world)![at]! });
      },
    },
    {
      metric: 'org feed, three of five sources hidden',
      read: (deps, _, sample) =>
        orgPage(deps, { org: veiledOrgs[turn(sample, veiledOrgs)]!, includePrereleases: true }),
    },
  ];
}

/** The worlds take turns, so that whatever else the machine does meets both alike. */
export async function timesOf(page: Page, worlds: readonly FeedWorld[], samples = 400): Promise<number[][]> {
  const times: number[][] = worlds.map(() => []);
  for (let sample = 0; sample < samples; sample += 1) {
    for (const [index, world] of worlds.entries()) {
      await world.withColdModels(async (deps) => {
        const startedMs = performance.now();
        const answer = await page.read(deps, world, sample);
        times[index]!.push(performance.now() - startedMs);
        const { releases } = Buffer.isBuffer(answer) ? (JSON.parse(String(answer)) as Answer) : answer;
        if (releases.length < pageItems) throw new Error(`${page.metric}: ${releases.length} items make no full page`);
      });
    }
  }
  return times.map((list) => list.sort((a, b) => a - b));
}

async function pageFigures(page: Page, small: FeedWorld, large: FeedWorld): Promise<Figure[]> {
  const [smallTimes, largeTimes] = (await timesOf(page, [small, large])) as [number[], number[]];
  const figures = (times: readonly number[], { releases }: FeedWorld, atMost?: number): Figure[] => {
    const metric = `${page.metric}, ${releases} releases`;
    return [
      { metric: `${metric}, p50`, value: percentile(times, 0.5), unit: 'ms' },
      { metric: `${metric}, p95`, value: percentile(times, 0.95), unit: 'ms', ...(atMost !== undefined && { atMost }) },
    ];
  };
  const ratio = percentile(largeTimes, 0.95) / percentile(smallTimes, 0.95);
  return [
    ...figures(smallTimes, small),
    ...figures(largeTimes, large, 10),
    { metric: `${page.metric}, p95 of many to p95 of few`, value: ratio, unit: 'x', atMost: 1.5 },
  ];
}

const worldFigures = ({ releases, fillSeconds, catalogueSeconds, catalogueMiB }: FeedWorld): Figure[] => [
  { metric: `filling and projecting ${releases} releases`, value: fillSeconds, unit: 's' },
  { metric: `loading the catalogue of ${releases} releases`, value: catalogueSeconds, unit: 's' },
  { metric: `memory that the catalogue of ${releases} releases takes`, value: catalogueMiB, unit: 'MiB' },
];

/**
 * Pages of 20 as queries answer them, a tenth of the releases hidden. Cold: each page on connections opened for it, with
 * SQLite's own small cache, and another org or cursor each time.
 */
export const runFeed = ({ releases = largeReleases }: { readonly releases?: number | undefined }): Promise<Figure[]> =>
  inBenchFolder((smallFolder) =>
    inBenchFolder(async (largeFolder) => {
      const small = await createFeedWorld({ dataDir: smallFolder }, smallReleases);
      const large = await createFeedWorld({ dataDir: largeFolder }, releases);
      const cursors = new Map([
        [small, await deepCursors(small)],
        [large, await deepCursors(large)],
      ]);
      const figures = [small, large].flatMap(worldFigures);
      for (const page of pagesOf(cursors)) figures.push(...(await pageFigures(page, small, large)));
      return figures;
    }),
  );
