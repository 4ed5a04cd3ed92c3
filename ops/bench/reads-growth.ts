import { categoryFeed } from '../../queries/categories/category-releases.ts';
import { orgManifest } from '../../queries/orgs/org-manifest.ts';
import { releaseFeedAnswer } from '../../queries/feed/release-feed-answer.ts';
import { latestReleases, type LatestReleasesInput } from '../../queries/releases/latest-releases.ts';
import { productList } from '../../queries/product-list.ts';
import { orgActivity } from '../../queries/orgs/org-activity.ts';
import { sourceDetailByPage } from '../../queries/sources/source-detail.ts';
import { sourceList, type SourceListInput } from '../../queries/sources/source-list.ts';
import { orgDetail } from '../../queries/orgs/org-detail.ts';
import { orgList, type OrgListInput } from '../../queries/orgs/org-list.ts';
import { orgReleases } from '../../queries/orgs/org-releases.ts';
import type { QueryDeps } from '../../queries/shape/query-deps.ts';
import { stats } from '../../queries/stats.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { createTurns } from '../../src/concurrency/turns.ts';
import { createFetchTimes } from '../../src/records/fetch-times.ts';
import { publicSourceFilter } from '../../src/catalogue/lists/part-facets.ts';
import { whatsChanged } from '../../queries/whats-changed/whats-changed.ts';
import type { Figure } from './bench-report.ts';
import { inBenchFolder } from './worlds/bench-folder.ts';
import { categories } from '../../src/domain/enumerations.ts';
import {
  createGrownRegistry,
  type GrownRegistry,
  largestSourceId,
  letters,
  nameOf,
  sourcesPerOrg,
} from './worlds/grown-registry.ts';
import { benchNowMs } from './worlds/seeded-data.ts';

const large = { orgs: 3_000, releasesPerOrg: 20, minutesBetween: 1 };
/** An org has the same history as one of many: as many releases, as far apart. */
const small = { orgs: 200, releasesPerOrg: 20, minutesBetween: 15 };
/** As many a day in the whole registry as among many: what an org has lies in fewer weeks, of which its activity tells less. */
const dense = { ...small, minutesBetween: large.minutesBetween };
const orgsOfLargest = 10_000;
const releasesUnlessTold = 200_000;
const growthMax = 1.3;
const releasesOfLargest = 20_000;
const rounds = 20;
const readsPerRound = 100;

const asking = { nowMs: benchNowMs, admin: false };
const noFilter = { sinceMs: null, untilMs: null, includePrereleases: false, includeCoverage: false };

const latest = (deps: QueryDeps, input: Partial<LatestReleasesInput> = {}) =>
  latestReleases(
    deps,
    { ...noFilter, source: null, org: null, count: 20, exclude: [], minImportance: null, ...input },
    asking,
  );

const orgs = async (deps: QueryDeps, input: Partial<OrgListInput> = {}) => {
  const all = { q: null, category: null, featured: false, includeEmpty: false, includeHidden: false };
  return orgList(deps, { ...all, page: 1, limit: 20, ...input }, asking);
};

const orgFeed = (deps: QueryDeps, org: string) => {
  const input = { ...noFilter, org, sourceType: null, kind: null, product: null };
  return orgReleases(deps, { ...input, limit: 20, cursor: null, sent: {} }, asking);
};

const categoryPage = (deps: QueryDeps, category: string) =>
  releaseFeedAnswer(deps, categoryFeed(deps, { ...noFilter, category, limit: 20, cursor: null, sent: {} }, asking));

const changed = (deps: QueryDeps, name: string, [from, to]: readonly [string, string]) =>
  whatsChanged(deps, { package: name, from, to, ecosystem: null }, asking);

const fetchedMs = benchNowMs - 1_000;

/** Every source was fetched, and the log is empty: both come from the operational store, which has few of what is shown. */
const statsOf = ({ deps, shape }: GrownRegistry) => {
  const sources = deps.catalogue.sourceList().all(publicSourceFilter);
  const lastFetches = createFetchTimes(sources.map(({ id }) => [id, fetchedMs])).reads;
  const reading = { ...deps, lastFetches: async () => lastFetches, newestFetches: async () => [] };
  return { name: `stats of ${shape.orgs * sourcesPerOrg} sources`, read: () => stats(reading, { days: 30 }, asking) };
};

const sources = (deps: QueryDeps, input: Partial<SourceListInput> = {}) => {
  const all = { independent: false, hasFeed: false, type: null, kind: null, category: null, includeHidden: false };
  const named = { org: null, orgId: null, product: null, slug: null, q: null };
  return sourceList(deps, { ...all, ...named, page: 1, limit: 20, ...input }, asking);
};

const products = async (deps: QueryDeps, page: number) =>
  productList(deps, { org: null, kind: null, includeHidden: false, page, limit: 20 });

const sourceDetailPage = (deps: QueryDeps, source: string) =>
  sourceDetailByPage(
    { ...deps, longPageTurns: createTurns(systemClock, 1) },
    { ...noFilter, source, page: 2, pageSize: 2, sent: {} },
    asking,
  );

const namesOfBoth = Array.from({ length: small.orgs }, (_, org) => nameOf(org));

/** Each is in the names or slugs of more than a page of orgs in either registry. */
const partsOfMany = [...letters, 'or', 'rg', 'org-', '1', '-1', 'g-1', 'rg-1', 'org-1'];

type Read = (deps: QueryDeps, turn: number) => Promise<unknown>;

/** Each time another page or org, of those that both registries have. */
const reads: Readonly<Record<string, Read>> = {
  'page of orgs': (deps, turn) => orgs(deps, { page: 1 + (turn % 10) }),
  'orgs by a part of their name': (deps, turn) => orgs(deps, { q: namesOfBoth[turn % small.orgs]! }),
  'featured orgs': (deps) => orgs(deps, { featured: true }),
  'orgs by a part that all have': (deps, turn) => orgs(deps, { q: 'org', page: 1 + (turn % 10) }),
  'orgs by one part after the other that many have': (deps, turn) =>
    orgs(deps, { q: partsOfMany[turn % partsOfMany.length]! }),
  'latest releases': (deps) => latest(deps),
  'latest releases of a rare importance': (deps) => latest(deps, { minImportance: 5 }),
  'latest releases of sources that are asleep': (deps) => latest(deps, { exclude: ['scrape'] }),
  'org feed': (deps, turn) => orgFeed(deps, `org-${turn % small.orgs}`),
  'category feed': (deps, turn) => categoryPage(deps, categories[turn % categories.length]!),
  'what changed in a source': (deps, turn) => changed(deps, `source-${turn % small.orgs}`, ['0', '2']),
  manifest: async (deps, turn) =>
    orgManifest(deps, { org: `org-${turn % small.orgs}`, registryName: 'bench' }, { admin: false }),
  'page of products': (deps, turn) => products(deps, 1 + (turn % 10)),
  'page of sources': (deps, turn) => sources(deps, { page: 1 + (turn % 50) }),
  'sources of a type': (deps, turn) => sources(deps, { type: 'feed', page: 1 + (turn % 10) }),
  'sources of several filters': (deps, turn) => sources(deps, { hasFeed: true, kind: 'docs', page: 1 + (turn % 10) }),
  'sources of a type that none has': (deps) => sources(deps, { type: 'video' }),
  'sources of an org': (deps, turn) => sources(deps, { org: `org-${turn % small.orgs}` }),
  'sources of a product': (deps, turn) => sources(deps, { product: `product-${turn % small.orgs}` }),
  'sources by a part of their name': (deps, turn) => sources(deps, { q: namesOfBoth[turn % small.orgs]! }),
  'sources by five letters of their name': (deps, turn) =>
    sources(deps, { q: namesOfBoth[turn % small.orgs]!.slice(-5) }),
  'sources by one letter after the other': (deps, turn) => sources(deps, { q: letters[turn % letters.length]! }),
  'second page of a source': (deps, turn) => sourceDetailPage(deps, `source-${turn % small.orgs}`),
  'activity of an org': async (deps, turn) =>
    orgActivity(deps, { org: `org-${turn % small.orgs}`, fromMs: null, toMs: null }, asking),
  'org detail': (deps, turn) => orgDetail(deps, { org: `org-${turn % small.orgs}` }, asking),
};

/** Pages of 20, and what few rows meet: so much of a turn of the event loop at most. */
const quickInLargest = [
  'page of orgs',
  'page of products',
  'page of sources',
  'sources of a type',
  'sources of several filters',
  'sources of a type that none has',
  'sources of an org',
  'sources of a product',
  'sources by a part of their name',
];

async function cpuMs({ deps }: GrownRegistry, read: Read, round: number): Promise<number> {
  const before = process.cpuUsage();
  for (let turn = 0; turn < readsPerRound; turn += 1) await read(deps, round * readsPerRound + turn);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / readsPerRound;
}

/** The two take turns, so that whatever else the machine does meets both alike. */
async function growthOf(
  name: string,
  read: Read,
  [few, many]: readonly [GrownRegistry, GrownRegistry],
): Promise<readonly [Figure, Figure, Figure]> {
  const costs = { few: [] as number[], many: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    costs.few.push(await cpuMs(few, read, round));
    costs.many.push(await cpuMs(many, read, round));
  }
  const metric = (which: string) => `${name}, ${which}`;
  // The best of all rounds: the first ones compile it, and in others the machine has something else to do.
  const [atFew, atMany] = [Math.min(...costs.few), Math.min(...costs.many)];
  return [
    { metric: metric(`${few.shape.orgs} orgs`), value: atFew, unit: 'ms of CPU' },
    { metric: metric(`${many.shape.orgs} orgs`), value: atMany, unit: 'ms of CPU' },
    { metric: metric('many to few'), value: atMany / atFew, unit: 'x', atMost: growthMax },
  ];
}

/** Told and not judged: the answers of the many are longer than those of the few here. */
const growthOfLongerAnswers = (many: GrownRegistry): Promise<readonly Figure[]> =>
  inBenchFolder(async (folder) => {
    const few = await createGrownRegistry(folder, dense);
    const name = 'activity of an org';
    const [atFew, atMany, growth] = await growthOf(`${name}, more weeks among many`, reads[name]!, [few, many]);
    await few.close();
    return [atFew, atMany, { metric: growth.metric, value: growth.value, unit: growth.unit }];
  });

async function inLargest(registry: GrownRegistry): Promise<Figure[]> {
  const { shape, deps, withColdModels } = registry;
  const among = `of ${shape.orgs} orgs, ${shape.orgs * sourcesPerOrg} sources, ${shape.orgs * shape.releasesPerOrg} releases`;
  const firstMsOf = async (read: Read): Promise<number> => {
    const startedMs = performance.now();
    await read(deps, 0);
    return performance.now() - startedMs;
  };
  const firstFigures: Figure[] = [];
  for (const name of ['page of orgs', 'page of sources', 'sources by a part of their name']) {
    const metric = `first ${name} after the load, ${among}`;
    firstFigures.push({ metric, value: await firstMsOf(reads[name]!), unit: 'ms' });
  }
  const pageFigures: Figure[] = [];
  for (const name of quickInLargest) {
    const costs: number[] = [];
    for (let round = 0; round < rounds; round += 1) costs.push(await cpuMs(registry, reads[name]!, round));
    pageFigures.push({ metric: `${name}, ${among}`, value: Math.min(...costs), unit: 'ms of CPU', atMost: 2 });
  }
  const coldMs = async (read: Read, percent = 50): Promise<number> => {
    const times: number[] = [];
    for (let turn = 0; turn < 100; turn += 1) {
      await withColdModels(async (coldDeps) => {
        const startedMs = performance.now();
        await read(coldDeps, turn);
        times.push(performance.now() - startedMs);
      });
    }
    return times.sort((a, b) => a - b)[Math.floor((times.length * percent) / 100)]!;
  };
  const coldFigures: Figure[] = [];
  for (const name of ['org feed', 'latest releases', 'latest releases of sources that are asleep', 'page of orgs']) {
    const metric = `cold ${name}, ${among}, p50`;
    coldFigures.push({ metric, value: await coldMs(reads[name]!), unit: 'ms', atMost: 10 });
  }
  const all = (coldDeps: QueryDeps) => changed(coldDeps, largestSourceId, ['0', '999']);
  const some = (coldDeps: QueryDeps, turn: number) =>
    changed(coldDeps, largestSourceId, [`${turn}.90`, `${turn + 1}.5`]);
  const largest = `in a source of ${releasesOfLargest} releases, ${among}, p95`;
  for (const [range, read] of Object.entries({ 'all that changed': all, 'some of what changed': some })) {
    coldFigures.push({ metric: `cold ${range} ${largest}`, value: await coldMs(read, 95), unit: 'ms', atMost: 15 });
  }
  return [...firstFigures, ...pageFigures, ...coldFigures];
}

/** What a read costs must follow from what it shows, and not from how many orgs there are beside. */
export const runReadsGrowth = ({
  releases = releasesUnlessTold,
}: {
  readonly releases?: number | undefined;
}): Promise<Figure[]> =>
  inBenchFolder((fewFolder) =>
    inBenchFolder((manyFolder) =>
      inBenchFolder(async (mostFolder) => {
        const figures: Figure[] = [];
        const both = [
          await createGrownRegistry(fewFolder, small),
          await createGrownRegistry(manyFolder, large),
        ] as const;
        for (const [name, read] of Object.entries(reads)) figures.push(...(await growthOf(name, read, both)));
        figures.push(...(await growthOfLongerAnswers(both[1])));
        const { name, read } = statsOf(both[1]);
        const times: number[] = [];
        for (let round = 0; round < rounds; round += 1) {
          const startedMs = performance.now();
          await read();
          times.push(performance.now() - startedMs);
        }
        const middle = times.sort((a, b) => a - b)[rounds >>> 1]!;
        figures.push({ metric: `${name}, p50`, value: middle, unit: 'ms', atMost: 30 });
        for (const registry of both) await registry.close();
        const most = await createGrownRegistry(mostFolder, {
          orgs: orgsOfLargest,
          releasesPerOrg: Math.ceil(releases / orgsOfLargest),
          minutesBetween: large.minutesBetween,
          releasesOfLargest,
        });
        figures.push(...(await inLargest(most)));
        await most.close();
        return figures;
      }),
    ),
  );
