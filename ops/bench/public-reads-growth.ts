import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { Figure } from './bench-report.ts';
import { type AskedRegistry, type PublicRead, publicReads, publicReadsShape } from './public-reads.ts';
import { answerTimesMs, uncached, withConnections } from './worlds/http-connection.ts';
import { percentile } from './worlds/percentile.ts';
import { type ServedRegistry, untilQuiet, withServed } from './worlds/served-registry.ts';
import { withFilled } from './worlds/settled-registry.ts';

const fewReleases = 20_000;
const manyUnlessTold = 1_000_000;
const growthMax = 1.5;

/** As many for each org as in `public-reads`: what an answer shows is the same, and only what lies beside it grows. */
const releasesPerOrg = 100;

/**
 * So many orgs are asked about in either one, far apart in the larger: about half of them while the code is compiled, about
 * the others once each, when this process has read nothing of them.
 */
const orgsAsked = fewReleases / releasesPerOrg;
const coldOrgs = orgsAsked / 2;
const warmingReads = 400;
const coldRounds = 4;

/** About any org: what was read before helps in the small one alone. */
const anyOrg = { rounds: 8, readsPerRound: 100 };

/** Both registries have two such pages. */
const pageOfOrgs = { name: '100 orgs', path: (turn: number) => `/v1/orgs?limit=100&page=${1 + (turn % 2)}` };

const reads: readonly Omit<PublicRead, 'p95Max'>[] = [
  ...publicReads.filter(({ name }) => name !== '500 orgs'), // which the small one has not
  pageOfOrgs,
];

type Read = (typeof reads)[number];

interface Grown {
  readonly asked: AskedRegistry;
  readonly served: ServedRegistry;
}

type Serve = <Result>(use: (grown: Grown) => Promise<Result>) => Promise<Result>;

const sizeOf = ({ asked }: Grown): string => `${asked.releases} releases`;

/** Asked about one half of the orgs, or the other. */
const ofHalf = (grown: Grown, half: 0 | 1): Grown => {
  const step = Math.floor(grown.asked.orgs / orgsAsked);
  const orgOf = (turn: number): number => (half * coldOrgs + (turn % coldOrgs)) * step;
  return { ...grown, asked: { ...grown.asked, orgOf } };
};

const timesOf = (
  { asked, served }: Grown,
  { path }: Read,
  { from, count }: { readonly from: number; readonly count: number },
): Promise<number[]> =>
  withConnections(served.port, 1, (connections) =>
    answerTimesMs(
      connections,
      (turn) => path(from + turn, asked),
      (made) => made >= count,
    ),
  );

/** What an answer has on the average: where two sizes differ in it, so may the times for another reason than the size. */
const answerBytes = ({ asked, served }: Grown, { path }: Read): Promise<number> =>
  withConnections(served.port, 1, async ([connection]) => {
    let bytes = 0;
    for (let turn = 0; turn < coldOrgs; turn += 1) {
      bytes += (await connection!.get(path(turn, asked), uncached)).body.length;
    }
    return bytes / coldOrgs;
  });

interface Compared {
  readonly few: number[];
  readonly many: number[];
}

/** The two take turns, so that whatever else the machine does meets both alike. */
async function coldTimes(read: Read, few: Grown, many: Grown): Promise<Compared> {
  const times: Compared = { few: [], many: [] };
  for (const grown of [few, many]) await timesOf(ofHalf(grown, 0), read, { from: 0, count: warmingReads });
  const count = coldOrgs / coldRounds;
  for (let from = 0; from < coldOrgs; from += count) {
    times.few.push(...(await timesOf(ofHalf(few, 1), read, { from, count })));
    times.many.push(...(await timesOf(ofHalf(many, 1), read, { from, count })));
  }
  return times;
}

async function coldGrowth(read: Read, few: Grown, many: Grown): Promise<Figure[]> {
  const times = await coldTimes(read, few, many);
  const figures: Figure[] = [];
  for (const grown of [few, many]) {
    const value = await answerBytes(ofHalf(grown, 1), read);
    figures.push({ metric: `${read.name}, ${sizeOf(grown)}, an answer`, value, unit: 'bytes' });
  }
  for (const share of [0.5, 0.95]) {
    const [atFew, atMany] = [percentile(times.few, share), percentile(times.many, share)];
    const metric = (which: string) => `${read.name}, ${which}, p${share * 100}`;
    figures.push({ metric: metric(sizeOf(few)), value: atFew, unit: 'ms' });
    figures.push({ metric: metric(sizeOf(many)), value: atMany, unit: 'ms' });
    figures.push({ metric: metric('many to few'), value: atMany / atFew, unit: 'x', atMost: growthMax });
  }
  return figures;
}

/** The first half lets the code be compiled. */
async function growthOfAny(read: Read, few: Grown, many: Grown): Promise<Figure> {
  const { rounds, readsPerRound: count } = anyOrg;
  const times: Compared = { few: [], many: [] };
  for (let round = 0; round < rounds; round += 1) {
    const asking = { from: round * count, count };
    const [ofFew, ofMany] = [await timesOf(few, read, asking), await timesOf(many, read, asking)];
    if (round < rounds / 2) continue;
    times.few.push(...ofFew);
    times.many.push(...ofMany);
  }
  const value = percentile(times.many, 0.95) / percentile(times.few, 0.95);
  return { metric: `${read.name} of any org, many to few, p95`, value, unit: 'x' };
}

/**
 * So that the system has these files of both in memory: no disks are compared. What a server keeps is its own. Before each
 * start: a system that takes back what nobody has used for some minutes has a tenth less of the large one by the next.
 */
async function fetchFiles(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = createReadStream(join(entry.parentPath, entry.name), { highWaterMark: 1024 * 1024 });
    await finished(file.resume());
  }
}

/** Only answers: what a first start fills, fetches and generates beside would be measured, and be in later answers, too. */
const onlyAnswers = { ROLES: 'http' };

/** What a public read costs must not follow from how many releases there are. The part `mongodb` asks it of registries there. */
export async function runPublicReadsGrowth({
  releases = manyUnlessTold,
  data,
  part,
}: {
  readonly releases?: number | undefined;
  readonly data?: string | undefined;
  readonly part?: string | undefined;
}): Promise<Figure[]> {
  const onMongodb = part === 'mongodb';
  if (part !== undefined && !onMongodb) throw new Error(`there is no part ${part}`);
  const withGrown = <Result>(count: number, work: (serve: Serve) => Promise<Result>): Promise<Result> => {
    const asked = { orgs: Math.ceil(count / releasesPerOrg), releases: count };
    return withFilled({ shape: { ...publicReadsShape, ...asked }, onMongodb, keptIn: data }, async (filled) => {
      const settings = { ...filled.settings, ...onlyAnswers };
      return work(async (use) => {
        await fetchFiles(filled.dataDir);
        return withServed(
          filled.dataDir,
          async (served) => {
            await untilQuiet(served); // what begins behind a start takes longer in the large one, and would run beside the first reads
            return use({ asked, served });
          },
          settings,
        );
      });
    });
  };
  return withGrown(fewReleases, (serveFew) =>
    withGrown(releases, async (serveMany) => {
      const figures: Figure[] = [];
      // Processes of their own for each kind: one that has answered another kind knows what these need, too.
      for (const read of reads) {
        figures.push(...(await serveFew((few) => serveMany((many) => coldGrowth(read, few, many)))));
      }
      await serveFew((few) =>
        serveMany(async (many) => {
          for (const read of reads) figures.push(await growthOfAny(read, few, many));
        }),
      );
      return figures;
    }),
  );
}
