import { describe } from 'vitest';
import { realServer } from '../../spec/servers/real-servers.ts';

/** Suites over a real server; left out, by name, where there is none. */
export function describeMongo(suites: (server: string) => void): void {
  const server = realServer('mongodb');
  describe.skipIf(server === null)('on a real MongoDB', () => suites(server ?? ''));
}
