import { describe } from 'vitest';
import { realServer } from '../../spec/servers/real-servers.ts';

/** Suites over a real server; left out, by name, where there is none. */
export function describeOpenSearch(suites: (server: string) => void): void {
  const server = realServer('opensearch');
  describe.skipIf(server === null)('on a real OpenSearch', () => suites(server ?? ''));
}
