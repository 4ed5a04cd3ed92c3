import { describe } from 'vitest';
import { realServer } from '../../spec/servers/real-servers.ts';

/** Suites over a real broker; left out, by name, where there is none. */
export function describeKafka(suites: (brokers: string) => void): void {
  const brokers = realServer('kafka');
  describe.skipIf(brokers === null)('on a real Kafka', () => suites(brokers ?? ''));
}
