import type { Figure } from './bench-report.ts';
import { type AskedRegistry, type PublicRead, publicReads, publicReadsShape } from './public-reads.ts';
import { answerTimesMs, uncached, withConnections } from './worlds/http-connection.ts';
import { percentile } from './worlds/percentile.ts';
import { type ServedRegistry, withServed } from './worlds/served-registry.ts';
import { withFilled } from './worlds/settled-registry.ts';

const fewReleases = 20_000;
const manyUnlessTold = 1_000_000;
const rounds = 8;
const readsPerRound = 100;
const growthMax = 1.5;

/** As many for each org as in `public-reads`: what an answer shows is the same, and only what lies beside it grows. */
const releasesPerOrg = 100;

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

const sizeOf = ({ asked }: Grown): string => `${asked.releases} releases`;

const timesOf = ({ asked, served }: Grown, { path }: Read, round: number): Promise<number[]> =>
  withConnections(served.port, 1, (connections) =>
    answerTimesMs(
      connections,
      (turn) => path(round * readsPerRound + turn, asked),
      (count) => count >= readsPerRound,
    ),
  );

/** What an answer has on the average: where two sizes differ in it, so may the times for another reason than the size. */
const answerBytes = ({ asked, served }: Grown, { path }: Read): Promise<number> =>
  withConnections(served.port, 1, async ([connection]) => {
    let bytes = 0;
    for (let turn = 0; turn < readsPerRound; turn += 1) {
      bytes += (await connection!.get(path(turn, asked), uncached)).body.length;
    }
    return bytes / readsPerRound;
  });

/** The two take turns, so that whatever else the machine does meets both alike. The first half lets the code be compiled. */
async function growthOf(read: Read, few: Grown, many: Grown): Promise<Figure[]> {
  const times = new Map([few, many].map((grown) => [grown, [] as number[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const grown of [few, many]) {
      const measured = await timesOf(grown, read, round);
      if (round >= rounds / 2) times.get(grown)!.push(...measured);
    }
  }
  const shares = [0.5, 0.95].flatMap((share) => {
    const [atFew, atMany] = [percentile(times.get(few)!, share), percentile(times.get(many)!, share)];
    const metric = (which: string) => `${read.name}, ${which}, p${share * 100}`;
    return [
      { metric: metric(sizeOf(few)), value: atFew, unit: 'ms' },
      { metric: metric(sizeOf(many)), value: atMany, unit: 'ms' },
      { metric: metric('many to few'), value: atMany / atFew, unit: 'x', atMost: growthMax },
    ];
  });
  const sizes: Figure[] = [];
  for (const grown of [few, many]) {
    const value = await answerBytes(grown, read);
    sizes.push({ metric: `${read.name}, ${sizeOf(grown)}, an answer`, value, unit: 'bytes' });
  }
  return [...sizes, ...shares];
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
  const withGrown = <Result>(count: number, work: (grown: Grown) => Promise<Result>): Promise<Result> => {
    const asked = { orgs: Math.ceil(count / releasesPerOrg), releases: count };
    return withFilled({ shape: { ...publicReadsShape, ...asked }, onMongodb, keptIn: data }, (filled) =>
      withServed(filled.dataDir, (served) => work({ asked, served }), { ...filled.settings, ...onlyAnswers }),
    );
  };
  return withGrown(fewReleases, (few) =>
    withGrown(releases, async (many) => {
      const figures: Figure[] = [];
      for (const read of reads) figures.push(...(await growthOf(read, few, many)));
      return figures;
    }),
  );
}
