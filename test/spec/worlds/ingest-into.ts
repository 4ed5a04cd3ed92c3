import { randomUUID } from 'node:crypto';
import { ingestReleases } from '../../../commands/release/ingest-releases.ts';
import { allProjections } from '../../../projections/all-projections.ts';
import { type HttpService, webBaseUrl } from '../http/http-service.ts';

const waitMs = 10_000;

/** Releases of a source of the running service; resolves with their ids once every read model knows them. */
export async function ingestInto(
  { registry }: HttpService,
  sourceId: string,
  releases: readonly Readonly<Record<string, unknown>>[],
): Promise<string[]> {
  const commandId = randomUUID();
  const items = releases.map((release) => ({
    ...release,
    ...(release['content'] !== undefined && { contentTokens: 1 }),
  }));
  const { results, position } = await registry.batches.run(
    ingestReleases,
    { sourceId, items, webBaseUrl },
    { commandId, actor: 'root', correlationId: commandId, cause: 'ingest' },
  );
  if (!(await registry.live.waitFor(allProjections, position, waitMs)))
    throw new Error('the read models do not follow');
  return results.map(({ id }) => id);
}
