import { connectOpenSearch } from './connection.ts';
import { firstContact } from './failures.ts';
import { type IndexRow, listIndices, type OpenSearchPlace } from './indices/indices.ts';

export interface OpenSearchProbe {
  /** `opensearch`, as long as it is one. */
  readonly distribution: string;
  readonly version: string;
  /** `green`, `yellow` (a copy is missing somewhere) or `red` (an index cannot be read). */
  readonly health: string;
  readonly hasVectors: boolean;
  readonly indices: readonly IndexRow[];
}

interface Root {
  readonly version?: { readonly number?: string; readonly distribution?: string };
}

/** How a cluster is, by looking alone. Throws what calls throw. */
export async function probeOpenSearch({ urls, prefix }: OpenSearchPlace, timeoutMs: number): Promise<OpenSearchProbe> {
  const connection = connectOpenSearch(urls, timeoutMs);
  const get = async <Body>(what: string, path: string): Promise<Body> =>
    (await connection.ask<Body>({ what, method: 'GET', path, query: { format: 'json' } })).body;
  const look = async (): Promise<OpenSearchProbe> => {
    const { body: root } = await connection.ask<Root>({ what: 'tell the version', method: 'GET', path: '/' });
    const plugins = await get<readonly { readonly component: string }[]>('tell the plugins', '/_cat/plugins');
    const { status } = await get<{ readonly status: string }>('tell its health', '/_cluster/health');
    return {
      distribution: root.version?.distribution ?? 'another program',
      version: root.version?.number ?? '0',
      health: status,
      hasVectors: plugins.some(({ component }) => component === 'opensearch-knn'),
      indices: await listIndices(connection, prefix),
    };
  };
  try {
    return await firstContact(look);
  } finally {
    await connection.close();
  }
}
