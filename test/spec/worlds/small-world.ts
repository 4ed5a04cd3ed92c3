import { createOrg } from '../../../commands/org/create-org.ts';
import { createProduct } from '../../../commands/product/create-product.ts';
import { ingestReleases } from '../../../commands/release/ingest-releases.ts';
import { createSource } from '../../../commands/source/create-source.ts';
import type { createTestRunners } from './embedded-registry.ts';
import { requestOf } from './embedded-registry.ts';

export const webBaseUrl = 'https://registry.example';

type Runners = ReturnType<typeof createTestRunners>;

/** An org with a product and a source that has a few releases; answers their ids and the last position. */
export async function buildSmallWorld({ commands, batches }: Runners, name: string, firstRequest: number) {
  const org = await commands.run(createOrg, { name }, requestOf(firstRequest));
  const product = await commands.run(createProduct, { orgId: org.id, name: 'Kit' }, requestOf(firstRequest + 1));
  const source = await commands.run(
    createSource,
    { orgId: org.id, productId: product.id, name: 'Changelog', url: 'https://example.com/changelog' },
    requestOf(firstRequest + 2),
  );
  const items = Array.from({ length: 20 }, (_, index) => ({
    title: `Release ${index}`,
    version: index % 4 === 3 ? `1.${index}.0-beta.1` : `1.${index}.0`,
    content: `## Fixes\n- fixed thing ${index}`,
    contentTokens: 9,
    publishedAt: new Date(Date.UTC(2026, index % 12, 1 + index)).toISOString(),
  }));
  const ingested = await batches.run(
    ingestReleases,
    { sourceId: source.id, items, webBaseUrl },
    requestOf(firstRequest + 3),
  );
  return {
    orgId: org.id,
    productId: product.id,
    sourceId: source.id,
    releaseIds: ingested.results.map((result) => result.id),
    position: ingested.position,
  };
}
