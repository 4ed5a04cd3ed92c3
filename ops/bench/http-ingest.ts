import { inBenchFolder, secondsSince } from './bench-folder.ts';
import type { Figure } from './bench-report.ts';
import { batchesFor } from './ingest.ts';
import { benchRootKey, buildRegistry, type ServedRegistry, withServed } from './served-registry.ts';

const releasesInAll = 20_000;
const clients = 2;
const orgs = 5;
const sourcesPerOrg = 2;
const requestTimeoutMs = 60_000;

async function post({ url }: ServedRegistry, path: string, body: string): Promise<Record<string, unknown>> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${benchRootKey}`, 'Content-Type': 'application/json' },
    body,
    signal: AbortSignal.timeout(requestTimeoutMs),
  });
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}

async function postSources(served: ServedRegistry): Promise<string[]> {
  const sourceIds: string[] = [];
  for (let org = 0; org < orgs; org += 1) {
    const { id: orgId } = await post(served, '/v1/orgs', JSON.stringify({ name: `Org ${org}` }));
    for (let source = 0; source < sourcesPerOrg; source += 1) {
      const body = { orgId, name: `Source ${source}`, url: `https://example.com/${org}/${source}` };
      sourceIds.push(String((await post(served, '/v1/sources', JSON.stringify(body)))['id']));
    }
  }
  return sourceIds;
}

const measure = (bodyChars: number, atLeast: number): Promise<Figure[]> =>
  inBenchFolder(async (dataDir) => {
    await buildRegistry(dataDir);
    return withServed(dataDir, async (served) => {
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
      const value = releasesInAll / secondsSince(startedMs);
      const what = `${bodyChars} characters each, ${clients} clients`;
      return [
        { metric: `releases ingested, ${what}`, value, unit: 'releases/s', atLeast },
        { metric: `slowest batch, ${what}`, value: slowestMs, unit: 'ms' },
      ];
    });
  });

/** Batches of 500 sent to the service; each answer waits until its releases can be read. */
export const runHttpIngest = async (): Promise<Figure[]> => [
  ...(await measure(150, 3_000)),
  ...(await measure(1_000, 1_200)),
];
