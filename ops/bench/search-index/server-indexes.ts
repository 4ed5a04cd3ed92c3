import { connectOpenSearch } from '../../../src/adapters/opensearch/connection.ts';
import { createOpenSearchIndexes } from '../../../src/adapters/opensearch/search-indexes.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { systemIds } from '../../../src/adapters/system/ids.ts';
import type { SearchIndexes } from '../../../src/ports/search-index.ts';

export const serverUrl = (): string => {
  const url = process.env['OPENSEARCH_URL_FOR_TESTS'];
  if (url) return url;
  throw new Error(
    'OPENSEARCH_URL_FOR_TESTS is not set: run `ops/stack/up opensearch`, then `eval "$(ops/stack/env)"`.',
  );
};

/** Indexes that are gone after the work. */
export async function withServerIndexes<Result>(work: (indexes: SearchIndexes) => Promise<Result>): Promise<Result> {
  const urls = [serverUrl()];
  const prefix = `bench-${systemIds.commandId().toLowerCase()}`;
  const indexes = await createOpenSearchIndexes({ urls, prefix, clock: systemClock });
  try {
    return await work(indexes);
  } finally {
    await indexes.close();
    const connection = connectOpenSearch(urls);
    const path = `/${prefix}-*`;
    await connection.ask({ what: 'delete what was measured', method: 'DELETE', path, timeoutMs: 60_000 });
    await connection.close();
  }
}
