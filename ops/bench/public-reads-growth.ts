import type { Figure } from './bench-report.ts';
import { type PublicRead, publicReads, publicReadsShape } from './public-reads.ts';
import { answerTimesMs, withConnections } from './worlds/http-connection.ts';
import { percentile } from './worlds/percentile.ts';
import { type ServedRegistry, withServed } from './worlds/served-registry.ts';
import { withFilled } from './worlds/settled-registry.ts';

const fewReleases = 20_000;
const manyUnlessTold = 1_000_000;
const rounds = 8;
const readsPerRound = 100;
const growthMax = 1.5;

interface Grown {
  readonly releases: number;
  readonly served: ServedRegistry;
}

const timesOf = ({ releases, served }: Grown, { path }: PublicRead, round: number): Promise<number[]> =>
  withConnections(served.port, 1, (connections) =>
    answerTimesMs(
      connections,
      (turn) => path(round * readsPerRound + turn, releases),
      (asked) => asked >= readsPerRound,
    ),
  );

/** The two take turns, so that whatever else the machine does meets both alike. The first half lets the code be compiled. */
async function growthOf(read: PublicRead, few: Grown, many: Grown): Promise<Figure[]> {
  const times = new Map([few, many].map((grown) => [grown, [] as number[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const grown of [few, many]) {
      const measured = await timesOf(grown, read, round);
      if (round >= rounds / 2) times.get(grown)!.push(...measured);
    }
  }
  return [0.5, 0.95].flatMap((share) => {
    const [atFew, atMany] = [percentile(times.get(few)!, share), percentile(times.get(many)!, share)];
    const metric = (which: string) => `${read.name}, ${which}, p${share * 100}`;
    return [
      { metric: metric(`${few.releases} releases`), value: atFew, unit: 'ms' },
      { metric: metric(`${many.releases} releases`), value: atMany, unit: 'ms' },
      { metric: metric('many to few'), value: atMany / atFew, unit: 'x', atMost: growthMax },
    ];
  });
}

/** Only answers: what a first start fills and indexes beside would be measured, too. */
const onlyAnswers = { ROLES: 'http' };

/** What a public read costs must not follow from how many releases there are. */
export async function runPublicReadsGrowth({
  releases = manyUnlessTold,
  data,
}: {
  readonly releases?: number | undefined;
  readonly data?: string | undefined;
}): Promise<Figure[]> {
  const withGrown = <Result>(count: number, work: (grown: Grown) => Promise<Result>): Promise<Result> =>
    withFilled({ shape: { ...publicReadsShape, releases: count }, onMongodb: false, keptIn: data }, (filled) =>
      withServed(filled.dataDir, (served) => work({ releases: count, served }), { ...filled.settings, ...onlyAnswers }),
    );
  return withGrown(fewReleases, (few) =>
    withGrown(releases, async (many) => {
      const figures: Figure[] = [];
      for (const read of publicReads) figures.push(...(await growthOf(read, few, many)));
      return figures;
    }),
  );
}
