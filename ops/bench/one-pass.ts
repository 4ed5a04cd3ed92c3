import { allProjections } from '../../projections/all-projections.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { openStores } from '../../src/compose/open-stores.ts';
import type { Projection } from '../../src/kernel/projection.ts';
import type { FillDeps } from '../../src/runtime/projector/filling/fill-generations.ts';
import { fillGenerations } from '../../src/runtime/projector/filling/fill-generations.ts';
import type { Figure } from './bench-report.ts';
import { failBench, inBenchFolder, secondsSince } from './worlds/bench-folder.ts';
import { cpuMsOf } from './worlds/cpu-time.ts';
import { fillRegistry } from './worlds/seeded-registry.ts';
import { withStandin } from './worlds/standin.ts';

/** Two events for each release. */
const releasesUnlessTold = 10_000;

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

const longBodiesOf = (releases: number): number => Math.ceil(releases / 5);

interface Filled {
  readonly releases: number;
  readonly bodyChars: number;
  readonly storeName: string;
  readonly eventStoreUrl?: string;
}

interface FilledAlone {
  readonly name: string;
  readonly ms: number;
}

const slowestOf = (filled: readonly FilledAlone[]): FilledAlone => filled.reduce((a, b) => (b.ms > a.ms ? b : a));

async function fill(projections: readonly Projection[], deps: FillDeps): Promise<void> {
  const outcomes = await fillGenerations(projections, deps);
  const failed = outcomes.filter(({ kind }) => kind !== 'live');
  if (failed.length > 0) throw new Error(`not filled: ${failed.map(({ name }) => name).join(', ')}`);
}

const figuresOf = ({ releases, bodyChars, storeName, eventStoreUrl }: Filled): Promise<Figure[]> =>
  inBenchFolder(async (dataDir) => {
    const backends = { dataDir, ...(eventStoreUrl !== undefined && { eventStoreUrl }) };
    const { eventStore: store, readModels, close } = await openStores({ backends, onFatal: failBench });
    try {
      await fillRegistry(store, { orgs: 100, sourcesPerOrg: 5, releases, bodyChars, emit: true });
      const deps = { store, readModels, clock: systemClock, holder: 'bench' };
      await fill(allProjections, deps); // so that all code is compiled
      const alone: FilledAlone[] = [];
      for (const projection of allProjections) {
        alone.push({ name: projection.name, ms: await cpuMsOf(() => fill([projection], deps)) });
      }
      const startedMs = performance.now();
      const togetherMs = await cpuMsOf(() => fill(allProjections, deps));
      const seconds = secondsSince(startedMs);
      const older = allProjections.filter(({ name }) => withGoal.has(name));
      const olderMs = await cpuMsOf(() => fill(older, deps));
      const slowest = slowestOf(alone);
      const slowestOlder = slowestOf(alone.filter(({ name }) => withGoal.has(name)));
      const sumMs = alone.reduce((sum, { ms }) => sum + ms, 0);
      const cpu = 's of CPU';
      const of = `of ${releases} releases of ${bodyChars} characters, ${storeName}`;
      return [
        ...alone.map(({ name, ms }) => ({ metric: `${name} alone, ${of}`, value: ms / 1_000, unit: cpu })),
        { metric: `all ${alone.length} one after the other, ${of}`, value: sumMs / 1_000, unit: cpu },
        { metric: `all ${alone.length} in one pass, ${of}`, value: togetherMs / 1_000, unit: cpu },
        { metric: `the same, ${of}`, value: seconds, unit: 's' },
        { metric: `one pass of all to ${slowest.name} alone, ${of}`, value: togetherMs / slowest.ms, unit: 'x' },
        { metric: `the first ${older.length} in one pass, ${of}`, value: olderMs / 1_000, unit: cpu },
        {
          metric: `one pass of the first ${older.length} to ${slowestOlder.name} alone, ${of}`,
          value: olderMs / slowestOlder.ms,
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
