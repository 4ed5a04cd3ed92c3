import type { Figure } from './bench-report.ts';
import { inBenchFolder } from './worlds/bench-folder.ts';
import { cpuSeconds } from './worlds/cpu-time.ts';
import { benchNowMs, benchRangeMs, createChance, releaseItem } from './worlds/seeded-data.ts';
import { buildRegistry, post, type ServedRegistry, withServed } from './worlds/served-registry.ts';

/** Not counted: a service that has just started pays for code that is not compiled yet. */
const writesBefore = 2_000;
const writesMeasured = 500;
const suppressedAtOnce = 500;
const suppressCalls = 2;

type Write = (number: number) => Promise<unknown>;

interface Cost {
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** Each answer waits until its write can be read, so the work of all threads is in it. */
async function costOf({ pid }: ServedRegistry, write: Write): Promise<Cost> {
  for (let number = 0; number < writesBefore; number += 1) await write(number);
  const [cpuBefore, startedMs] = [cpuSeconds(pid), performance.now()];
  for (let number = 0; number < writesMeasured; number += 1) await write(writesBefore + number);
  const cpuMs = (cpuSeconds(pid) - cpuBefore) * 1_000;
  return { cpuMs: cpuMs / writesMeasured, wallMs: (performance.now() - startedMs) / writesMeasured };
}

const figuresOf = (what: string, { cpuMs, wallMs }: Cost, atMost: number): Figure[] => [
  { metric: `${what} by a lone caller`, value: cpuMs, unit: 'ms of CPU', atMost },
  { metric: `${what} by a lone caller, until it can be read`, value: wallMs, unit: 'ms' },
];

const createSource = async (served: ServedRegistry, name: string): Promise<string> =>
  String((await post(served, '/v1/sources', { name, url: `https://example.com/${name}` }))['id']);

const itemsFrom = (from: number, count: number) => {
  const chance = createChance(from + 1);
  const shape = { bodyChars: 1_000, fromMs: benchNowMs - benchRangeMs, toMs: benchNowMs };
  return Array.from({ length: count }, (_, index) => releaseItem(chance, from + index, shape));
};

async function suppressSeconds(served: ServedRegistry): Promise<number> {
  const source = await createSource(served, 'suppressed');
  const batches: unknown[] = [];
  for (let call = 0; call < suppressCalls; call += 1) {
    const releases = itemsFrom(call * suppressedAtOnce, suppressedAtOnce);
    batches.push((await post(served, `/v1/sources/${source}/releases/batch`, { releases }))['insertedIds']);
  }
  const startedMs = performance.now();
  for (const ids of batches) {
    const { suppressed } = await post(served, '/v1/releases/batch-suppress', { ids });
    if (suppressed !== suppressedAtOnce) throw new Error(`${suppressed} of ${suppressedAtOnce} were suppressed`);
  }
  return (performance.now() - startedMs) / 1_000;
}

/** What one write costs where nothing can be done together with others. */
export const runLoneWrites = (): Promise<Figure[]> =>
  inBenchFolder(async (dataDir) => {
    await buildRegistry(dataDir);
    return withServed(dataDir, async (served) => {
      const source = await createSource(served, 'lone');
      const items = itemsFrom(0, writesBefore + writesMeasured);
      const ingest = await costOf(served, (number) => post(served, `/v1/sources/${source}/releases`, items[number]));
      const org = await costOf(served, (number) => post(served, '/v1/orgs', { name: `Org ${number}` }));
      return [
        ...figuresOf('one release ingested', ingest, 10),
        ...figuresOf('a new org', org, 7),
        {
          metric: `${suppressCalls * suppressedAtOnce} releases suppressed, ${suppressedAtOnce} a call`,
          value: await suppressSeconds(served),
          unit: 's',
          atMost: 1,
        },
      ];
    });
  });
