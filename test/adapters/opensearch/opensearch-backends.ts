import { randomBytes } from 'node:crypto';
import { createOpenSearchIndexes } from '../../../src/adapters/opensearch/search-indexes.ts';
import { connectOpenSearch } from '../../../src/adapters/opensearch/connection.ts';
import type { SearchIndexes } from '../../../src/ports/search-index.ts';
import { createFakeClock } from '../../spec/fake-clock.ts';
import { createKeptLog } from '../../spec/kept-log.ts';

export const newPrefix = (): string => `test-${randomBytes(6).toString('hex')}`;

/** Deletes all indexes whose names begin so. */
export async function deleteIndexes(server: string, prefix: string): Promise<void> {
  const connection = connectOpenSearch([server]);
  const path = `/${prefix}-*`;
  await connection.ask({ what: 'delete what a test made', method: 'DELETE', path, accepts: [404] });
  await connection.close();
}

/** Prefixes of one harness and the indexes opened under them, all by one simulated clock. */
export function createOpenSearchBackends(server: string) {
  const clock = createFakeClock();
  let prefixes: string[] = [];
  let stores = new Map<SearchIndexes, string>();

  const newPlace = (): string => {
    const prefix = newPrefix();
    prefixes.push(prefix);
    return prefix;
  };
  const openOn = async (prefix: string): Promise<SearchIndexes> => {
    const indexes = await createOpenSearchIndexes({ urls: [server], prefix, clock, log: createKeptLog() });
    stores.set(indexes, prefix);
    return indexes;
  };

  return {
    make: () => openOn(newPlace()),
    makeTwoOnOneBackend: async (): Promise<[SearchIndexes, SearchIndexes]> => {
      const prefix = newPlace();
      return [await openOn(prefix), await openOn(prefix)];
    },
    interrupt: async (indexes: SearchIndexes): Promise<SearchIndexes> => {
      const prefix = stores.get(indexes);
      if (prefix === undefined) throw new Error('these indexes are not of the harness');
      await indexes.close();
      return openOn(prefix);
    },
    passTime: async (ms: number) => clock.advance(ms),
    close: async () => {
      for (const indexes of stores.keys()) await indexes.close();
      for (const prefix of prefixes) await deleteIndexes(server, prefix);
      prefixes = [];
      stores = new Map();
    },
  };
}
