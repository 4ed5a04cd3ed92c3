import { allProjections } from '../../projections/all-projections.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { openStores } from '../../src/compose/stores/open-stores.ts';
import type { Projection } from '../../src/kernel/projection.ts';
import type { FillDeps } from '../../src/runtime/projector/filling/fill-generations.ts';
import { fillGenerations } from '../../src/runtime/projector/filling/fill-generations.ts';
import type { Figure } from './bench-report.ts';
import { failBench, inBenchFolder, secondsSince } from './worlds/bench-folder.ts';
import { median } from './worlds/cpu-of-requests.ts';
import { cpuMsOf } from './worlds/cpu-time.ts';
import { fillRegistry } from './worlds/seeded-registry.ts';
import { withStandin } from './worlds/standin.ts';

/** Two events for each release. So many that opening, verifying and switching files decide nothing. */
const releasesUnlessTold = 10_000;

/** Each is filled so often, in turns: one run alone may fall into a slow spell of the machine, or be the only one outside of it. */
const rounds = 3;

/** Too long for an event: the text lies in parts of its own, and all of them are more than a verification holds. */
const longBodyChars = 75_000;

/** Those that there were when the goal was set; what has come since is filled in the same pass and told beside. */
const withGoal: ReadonlySet<string> = new Set([
  'org',
  'product',
  'source',
  'lookups',
  'tokens',
  'webhooks',
  'bodies',
  'release-detail',
  'release-feed',
  'instants',
  'pending',
]);

const longBodiesOf = (releases: number): number => Math.ceil(releases / 10);

interface Filled {
  readonly releases: number;
  readonly bodyChars: number;
  readonly storeName: string;
  readonly eventStoreUrl?: string;
}

interface FilledAlone {
  readonly name: string;
  /** Of each round. */
  readonly cpuMs: readonly number[];
}

const slowestOf = (filled: readonly FilledAlone[], ofOne: (cpuMs: readonly number[]) => number): FilledAlone =>
  filled.reduce((a, b) => (ofOne(b.cpuMs) > ofOne(a.cpuMs) ? b : a));

/** What was live before is dropped behind each: else every filling would scrub more files than the one before. */
async function fill(projections: readonly Projection[], deps: FillDeps): Promise<{ cpuMs: number; seconds: number }> {
  const { readModels } = deps;
  const startedMs = performance.now();
  const cpuMs = await cpuMsOf(async () => {
    const outcomes = await fillGenerations(projections, deps);
    const failed = outcomes.filter(({ kind }) => kind !== 'live');
    if (failed.length > 0) throw new Error(`not filled: ${failed.map(({ name }) => name).join(', ')}`);
  });
  const seconds = secondsSince(startedMs);
  for (const { name } of projections) {
    for (const past of await readModels.pastGenerations(name)) await readModels.drop(name, past);
  }
  return { cpuMs, seconds };
}

/** Of one round only, as they would be told without the others. */
const inFirst = (cpuMs: readonly number[]): number => cpuMs[0]!;

const figuresOf = ({ releases, bodyChars, storeName, eventStoreUrl }: Filled): Promise<Figure[]> =>
  inBenchFolder(async (dataDir) => {
    const backends = { dataDir, ...(eventStoreUrl !== undefined && { eventStoreUrl }) };
    const { eventStore: store, readModels, close } = await openStores({ backends, onFatal: failBench });
    try {
      await fillRegistry(store, { orgs: 100, sourcesPerOrg: 5, releases, bodyChars, emit: true });
      const deps = { store, readModels, clock: systemClock, holder: 'bench' };
      await fill(allProjections, deps); // so that all code is compiled
      const older = allProjections.filter(({ name }) => withGoal.has(name));
      const aloneMs = new Map<string, number[]>(allProjections.map(({ name }) => [name, []]));
      const [togetherMs, olderMs, seconds]: [number[], number[], number[]] = [[], [], []];
      for (let round = 0; round < rounds; round += 1) {
        for (const projection of allProjections) {
          aloneMs.get(projection.name)!.push((await fill([projection], deps)).cpuMs);
        }
        olderMs.push((await fill(older, deps)).cpuMs);
        const together = await fill(allProjections, deps);
        togetherMs.push(together.cpuMs);
        seconds.push(together.seconds);
      }
      const alone = [...aloneMs].map(([name, cpuMs]): FilledAlone => ({ name, cpuMs }));
      const olderAlone = alone.filter(({ name }) => withGoal.has(name));
      const slowest = slowestOf(alone, median);
      const slowestOlder = slowestOf(olderAlone, median);
      const slowestInFirst = slowestOf(olderAlone, inFirst);
      const sumMs = alone.reduce((sum, { cpuMs }) => sum + median(cpuMs), 0);
      const cpu = 's of CPU';
      const of = `of ${releases} releases of ${bodyChars} characters, ${storeName}`;
      return [
        ...alone.map(({ name, cpuMs }) => ({
          metric: `${name} alone, ${of}`,
          value: median(cpuMs) / 1_000,
          unit: cpu,
        })),
        { metric: `all ${alone.length} one after the other, ${of}`, value: sumMs / 1_000, unit: cpu },
        { metric: `all ${alone.length} in one pass, ${of}`, value: median(togetherMs) / 1_000, unit: cpu },
        { metric: `the same, ${of}`, value: median(seconds), unit: 's' },
        {
          metric: `one pass of all to ${slowest.name} alone, ${of}`,
          value: median(togetherMs) / median(slowest.cpuMs),
          unit: 'x',
        },
        { metric: `the first ${older.length} in one pass, ${of}`, value: median(olderMs) / 1_000, unit: cpu },
        {
          metric: `one pass of the first ${older.length} to ${slowestInFirst.name} alone, one run of each, ${of}`,
          value: inFirst(olderMs) / inFirst(slowestInFirst.cpuMs),
          unit: 'x',
        },
        {
          metric: `one pass of the first ${older.length} to ${slowestOlder.name} alone, ${of}`,
          value: median(olderMs) / median(slowestOlder.cpuMs),
          unit: 'x',
          atMost: 2,
        },
      ];
    } finally {
      await close();
    }
  });

/** What it costs to fill all read models from one pass over the log. */
export async function runOnePass({
  releases = releasesUnlessTold,
}: {
  readonly releases?: number | undefined;
}): Promise<Figure[]> {
  const short = { releases, bodyChars: 300 };
  const embedded = await figuresOf({ ...short, storeName: 'embedded' });
  const long = await figuresOf({ releases: longBodiesOf(releases), bodyChars: longBodyChars, storeName: 'embedded' });
  const standin = await withStandin((eventStoreUrl) =>
    figuresOf({ ...short, storeName: 'EventStoreDB', eventStoreUrl }),
  );
  return [...embedded, ...long, ...standin];
}
