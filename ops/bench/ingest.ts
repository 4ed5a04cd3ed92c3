import { setTimeout as sleep } from 'node:timers/promises';
import { ingestReleases } from '../../commands/release/ingest-releases.ts';
import { allProjections } from '../../projections/all-projections.ts';
import { openRegistry, type Registry } from '../../src/compose/registry.ts';
import { relayPosition } from '../../src/runtime/relay/relay-checkpoint.ts';
import { failBench, inBenchFolder, secondsSince } from './worlds/bench-folder.ts';
import type { Figure } from './bench-report.ts';
import {
  type BenchItem,
  benchNowMs,
  benchRangeMs,
  benchRequest,
  benchWebBaseUrl,
  createChance,
  releaseItem,
} from './worlds/seeded-data.ts';
import { createSources } from './worlds/seeded-registry.ts';

const batchSize = 500;
const releasesInAll = 30_000;
const callersAtOnce = 2;
const firstRequest = 1_000_000;
const keepUpTimeoutMs = 120_000;
const pollMs = 5;

interface Batch {
  readonly sourceId: string;
  readonly items: readonly BenchItem[];
}

/** Batches of 500 for the sources in turn; no release comes twice. */
export function batchesFor(
  sourceIds: readonly string[],
  { bodyChars, releasesInAll }: { readonly bodyChars: number; readonly releasesInAll: number },
): Batch[] {
  const chance = createChance(bodyChars);
  const shape = { bodyChars, fromMs: benchNowMs - benchRangeMs, toMs: benchNowMs };
  return Array.from({ length: releasesInAll / batchSize }, (_, number) => ({
    sourceId: sourceIds[number % sourceIds.length]!,
    items: Array.from({ length: batchSize }, (_item, index) =>
      releaseItem(chance, Math.floor(number / sourceIds.length) * batchSize + index, shape),
    ),
  }));
}

/** As whoever receives a batch does it: the texts are counted in their thread, then the batch is decided and stored. */
async function ingest(registry: Registry, { sourceId, items }: Batch, number: number): Promise<number> {
  const counts = await registry.tokenCounter.countMany(items.map(({ content }) => content));
  const counted = items.map((item, index) => ({ ...item, contentTokens: counts[index]! }));
  const input = { sourceId, items: counted, webBaseUrl: benchWebBaseUrl };
  const { results, position } = await registry.batches.run(ingestReleases, input, benchRequest(number));
  const inserted = results.filter(({ result }) => result === 'inserted').length;
  if (inserted !== items.length) throw new Error(`${inserted} of ${items.length} releases were inserted`);
  return position;
}

/** As `serve` has it, so that what is stored is also published. */
const delivery = { secretKey: new Uint8Array(32), allowPrivateTargets: true, retryDelays: ['5s'] };

async function untilPublished({ ops }: Registry, position: number): Promise<void> {
  const startedMs = performance.now();
  while ((await relayPosition(ops)) < position) {
    if (secondsSince(startedMs) * 1_000 > keepUpTimeoutMs) throw new Error('the relay does not keep up');
    await sleep(pollMs);
  }
}

interface Measured {
  readonly perSecond: number;
  readonly projectedPerSecond: number;
  readonly projectedBehindSeconds: number;
  readonly publishedBehindSeconds: number;
}

const measure = (bodyChars: number, isPublishing: boolean): Promise<Measured> =>
  inBenchFolder(async (dataDir) => {
    const options = { backends: { dataDir }, logLevel: 'error', webBaseUrl: benchWebBaseUrl, onFatal: failBench };
    const registry = await openRegistry({ ...options, ...(isPublishing && { delivery }) });
    try {
      const sourceIds = await createSources(registry.commands, { orgs: 10, sourcesPerOrg: 2 });
      await registry.live.waitFor(allProjections, await registry.eventStore.head(), keepUpTimeoutMs);

      const batches = batchesFor(sourceIds, { bodyChars, releasesInAll }).entries();
      let position = 0;
      const caller = async () => {
        for (const [number, batch] of batches) {
          position = Math.max(position, await ingest(registry, batch, firstRequest + number));
        }
      };
      const startedMs = performance.now();
      await Promise.all(Array.from({ length: callersAtOnce }, caller));
      const seconds = secondsSince(startedMs);
      const storedMs = performance.now();
      const passed = await registry.live.waitFor(allProjections, position, keepUpTimeoutMs);
      if (!passed) throw new Error(`the read models did not reach position ${position} in ${keepUpTimeoutMs} ms`);
      const projectedBehindSeconds = secondsSince(storedMs);
      if (isPublishing) await untilPublished(registry, position);
      return {
        perSecond: releasesInAll / seconds,
        projectedPerSecond: releasesInAll / (seconds + projectedBehindSeconds),
        projectedBehindSeconds,
        publishedBehindSeconds: secondsSince(storedMs),
      };
    } finally {
      await registry.close();
    }
  });

async function figuresOf(bodyChars: number, atLeast: number): Promise<Figure[]> {
  const published = await measure(bodyChars, true);
  const unpublished = await measure(bodyChars, false);
  const what = `${bodyChars} characters each`;
  const unit = 'releases/s';
  return [
    { metric: `releases ingested, ${what}`, value: published.perSecond, unit, atLeast },
    {
      metric: `read models behind the last batch, ${what}`,
      value: published.projectedBehindSeconds,
      unit: 's',
      atMost: 2,
    },
    { metric: `publishing behind the last batch, ${what}`, value: published.publishedBehindSeconds, unit: 's' },
    { metric: `releases ingested and projected, ${what}`, value: published.projectedPerSecond, unit },
    { metric: `releases ingested, ${what}, nothing published`, value: unpublished.perSecond, unit },
    { metric: `publishing to not publishing, ${what}`, value: published.perSecond / unpublished.perSecond, unit: 'x' },
  ];
}

/** Batches through the whole registry of one process: tokens counted, decided, stored, projected, published. */
export const runIngest = async (): Promise<Figure[]> => [
  ...(await figuresOf(150, 3_000)),
  ...(await figuresOf(1_000, 1_200)),
];
