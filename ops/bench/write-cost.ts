import { ingestReleases } from '../../commands/release/ingest-releases.ts';
import { allProjections } from '../../projections/all-projections.ts';
import type { Registry } from '../../src/compose/registry.ts';
import { cpuMsOf } from './worlds/cpu-time.ts';
import type { Figure } from './bench-report.ts';
import { withStandin } from './worlds/standin.ts';
import {
  type BenchItem,
  benchNowMs,
  benchRangeMs,
  benchRequest,
  benchWebBaseUrl,
  createChance,
  releaseItem,
} from './worlds/seeded-data.ts';
import { withRegistry } from './worlds/opened-registry.ts';

const batchSize = 20;
const callersAtOnce = 6;
const batchesInAll = 180;
/** Not counted: the first batches pay for code that is not compiled yet. */
const batchesBefore = 60;
const firstRequest = 2_000_000;
const keepUpTimeoutMs = 120_000;

const revisionChars = 20_000;
const revisionsOfFew = 10;
const revisionsOfMany = 500;
const revisionsMeasured = 64; // of a long stream a few snapshots' worth

const shapeOf = (bodyChars: number) => ({ bodyChars, fromMs: benchNowMs - benchRangeMs, toMs: benchNowMs });

interface Sent {
  readonly sourceId: string;
  readonly items: readonly BenchItem[];
  readonly request: number;
}

async function ingest({ batches }: Registry, { sourceId, items, request }: Sent): Promise<number> {
  const counted = items.map((item) => ({ ...item, contentTokens: 1 }));
  const input = { sourceId, items: counted, webBaseUrl: benchWebBaseUrl };
  return (await batches.run(ingestReleases, input, benchRequest(request))).position;
}

/** CPU for each new release, from the batch to the read models. */
const cpuPerRelease = (eventStoreUrl: string | undefined): Promise<number> =>
  withRegistry({ eventStoreUrl }, async (registry, sourceIds) => {
    const chance = createChance(1);
    let number = 0;
    const send = async (batches: number): Promise<void> => {
      const end = number + batches;
      let position = 0;
      const caller = async () => {
        while (number < end) {
          const batch = number;
          number += 1;
          const items = Array.from({ length: batchSize }, (_, index) =>
            releaseItem(chance, batch * batchSize + index, shapeOf(1_000)),
          );
          const sourceId = sourceIds[batch % sourceIds.length]!;
          position = Math.max(position, await ingest(registry, { sourceId, items, request: firstRequest + batch }));
        }
      };
      await Promise.all(Array.from({ length: callersAtOnce }, caller));
      if (!(await registry.live.waitFor(allProjections, position, keepUpTimeoutMs)))
        throw new Error('the read models are behind');
    };
    await send(batchesBefore);
    return (await cpuMsOf(() => send(batchesInAll))) / (batchesInAll * batchSize);
  });

/** CPU for one more revision of releases that have few, and of one that has many. */
const cpuPerRevision = (): Promise<{ readonly few: number; readonly many: number }> =>
  withRegistry({ roles: ['http'] }, async (registry, [sourceId = '']) => {
    const chance = createChance(2);
    let request = firstRequest;
    const revise = async (version: string, times: number) => {
      for (let revision = 0; revision < times; revision += 1) {
        const item = { ...releaseItem(chance, 1, shapeOf(revisionChars)), version };
        await ingest(registry, { sourceId, items: [item], request: (request += 1) });
      }
    };
    await revise('many', revisionsOfMany);
    const few = await cpuMsOf(async () => {
      for (let at = 0; at < revisionsMeasured; at += revisionsOfFew) await revise(`few ${at}`, revisionsOfFew);
    });
    const many = await cpuMsOf(() => revise('many', revisionsMeasured));
    const fewMeasured = Math.ceil(revisionsMeasured / revisionsOfFew) * revisionsOfFew;
    return { few: few / fewMeasured, many: many / revisionsMeasured };
  });

/** What writing costs this process, of which a network's round trips tell nothing. */
export async function runWriteCost(): Promise<Figure[]> {
  const embedded = await cpuPerRelease(undefined);
  const standin = await withStandin(cpuPerRelease);
  const { few, many } = await cpuPerRevision();
  const revision = `CPU of a release of ${revisionChars / 1_000} kB`;
  const what = `batches of ${batchSize}, ${callersAtOnce} callers`;
  const unit = 'ms/release';
  return [
    { metric: `CPU, embedded store, ${what}`, value: embedded, unit },
    { metric: `CPU, stand-in of EventStoreDB, ${what}`, value: standin, unit },
    { metric: 'CPU, stand-in to embedded', value: standin / embedded, unit: 'x', atMost: 2 },
    { metric: `${revision} behind less than ${revisionsOfFew} revisions`, value: few, unit },
    { metric: `${revision} behind ${revisionsOfMany} revisions`, value: many, unit },
    { metric: 'CPU, many revisions to few', value: many / few, unit: 'x', atMost: 2 },
  ];
}
