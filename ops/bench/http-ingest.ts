import { inBenchFolder, secondsSince } from './worlds/bench-folder.ts';
import type { Figure } from './bench-report.ts';
import { batchesFor } from './ingest.ts';
import { buildRegistry, post, type ServedRegistry, withServed } from './worlds/served-registry.ts';

const releasesInAll = 20_000;
const clients = 2;
const orgs = 5;
const sourcesPerOrg = 2;

async function postSources(served: ServedRegistry): Promise<string[]> {
  const sourceIds: string[] = [];
  for (let org = 0; org < orgs; org += 1) {
    const { id: orgId } = await post(served, '/v1/orgs', { name: `Org ${org}` });
    for (let source = 0; source < sourcesPerOrg; source += 1) {
      const body = { orgId, name: `Source ${source}`, url: `https://example.com/${org}/${source}` };
      sourceIds.push(String((await post(served, '/v1/sources', body))['id']));
    }
  }
  return sourceIds;
}

/** Everything but relay and deliverer. */
const unpublishing = { ROLES: 'http,projector,fetcher' };

interface Measured {
  readonly perSecond: number;
  readonly slowestMs: number;
}

const measure = (bodyChars: number, settings: Readonly<Record<string, string>>): Promise<Measured> =>
  inBenchFolder((dataDir) =>
    withServed(
      dataDir,
      async (served) => {
        const batches = batchesFor(await postSources(served), { bodyChars, releasesInAll }).map(
          ({ sourceId, items }) => ({
            path: `/v1/sources/${sourceId}/releases/batch`,
            body: JSON.stringify({ releases: items }),
            size: items.length,
          }),
        );
        const left = batches.values();
        let slowestMs = 0;
        const client = async () => {
          for (const { path, body, size } of left) {
            const askedMs = performance.now();
            const { inserted } = await post(served, path, body);
            slowestMs = Math.max(slowestMs, performance.now() - askedMs);
            if (inserted !== size) throw new Error(`${inserted} of ${size} releases were inserted`);
          }
        };
        const startedMs = performance.now();
        await Promise.all(Array.from({ length: clients }, client));
        return { perSecond: releasesInAll / secondsSince(startedMs), slowestMs };
      },
      settings,
    ),
  );

async function figuresOf(bodyChars: number, atLeast: number): Promise<Figure[]> {
  const published = await measure(bodyChars, {});
  const unpublished = await measure(bodyChars, unpublishing);
  const what = `${bodyChars} characters each, ${clients} clients`;
  const unit = 'releases/s';
  return [
    { metric: `releases ingested, ${what}`, value: published.perSecond, unit, atLeast },
    { metric: `slowest batch, ${what}`, value: published.slowestMs, unit: 'ms' },
    { metric: `releases ingested, ${what}, nothing published`, value: unpublished.perSecond, unit },
    { metric: `publishing to not publishing, ${what}`, value: published.perSecond / unpublished.perSecond, unit: 'x' },
  ];
}

/** Batches of 500 sent to the service; each answer waits until its releases can be read. */
export async function runHttpIngest(): Promise<Figure[]> {
  await inBenchFolder(buildRegistry);
  return [...(await figuresOf(150, 3_000)), ...(await figuresOf(1_000, 1_200))];
}
