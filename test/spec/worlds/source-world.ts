import { createOrg } from '../../../commands/org/create-org.ts';
import { ingestReleases } from '../../../commands/release/ingest-releases.ts';
import { createSource } from '../../../commands/source/create-source.ts';
import type { BatchRunner } from '../../../src/runtime/commands/batch-runner.ts';
import type { CommandRunner } from '../../../src/runtime/commands/command-runner.ts';
import { requestOf } from './embedded-registry.ts';

/** An org and a source of it, for tests that send releases; answers the id of the source. */
export async function createTestSource(commands: CommandRunner, name: string, firstRequest: number): Promise<string> {
  const org = await commands.run(createOrg, { name }, requestOf(firstRequest));
  const input = { orgId: org.id, name: 'Changelog', url: 'https://example.com/changelog' };
  return (await commands.run(createSource, input, requestOf(firstRequest + 1))).id;
}

/** The nth batch of a long history: from the eighth on, its releases are revisions of earlier ones. */
export const ingestBatch = (batches: BatchRunner, sourceId: string, batch: number, count: number) => {
  const items = Array.from({ length: count }, (_, index) => ({
    title: `Release ${batch}.${index}`,
    version: `${batch % 7}.${index}.0`,
    content: `## Fixes\n- fixed thing ${batch}`,
    contentTokens: 9,
    publishedAt: new Date(Date.UTC(2020 + (batch % 9), index % 12, 1)).toISOString(),
  }));
  const input = { sourceId, items, webBaseUrl: 'https://registry.example' };
  return batches.run(ingestReleases, input, requestOf(1_000 + batch));
};
