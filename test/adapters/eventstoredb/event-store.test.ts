import { afterAll, beforeAll, describe } from 'vitest';
import { eventStoreContract } from '../../contract/event-store-contract.ts';
import { type Standin, startStandin } from '../../standin/eventstoredb/standin-process.ts';
import { realServer } from '../../spec/servers/real-servers.ts';
import { type CuttableProxy, startCuttableProxy } from './cuttable-proxy.ts';
import { createEventStoreDbHarness } from './eventstoredb-harness.ts';

describe.each([
  { path: 'batch', batchAppend: true },
  { path: 'plain', batchAppend: false },
])('EventStoreDB stand-in, $path append', ({ batchAppend }) => {
  let standin: Standin;
  beforeAll(async () => {
    standin = await startStandin({ batchAppend });
  });
  afterAll(() => standin.close());

  const server = () => ({
    url: standin.url,
    empty: async () => {
      await standin.control({ command: 'reset' });
      return true;
    },
    dropConnections: async () => {
      await standin.control({ command: 'drop-connections' });
    },
  });
  eventStoreContract('EventStoreDB stand-in', createEventStoreDbHarness(server));
});

// A server that is there for nothing else meanwhile; what the tests write stays there.
const realUrl = realServer('eventstoredb');
if (realUrl !== null) {
  describe('EventStoreDB', () => {
    let proxy: CuttableProxy;
    beforeAll(async () => {
      proxy = await startCuttableProxy(realUrl);
    });
    afterAll(() => proxy.close());

    const server = () => ({ url: proxy.url, empty: async () => false, dropConnections: async () => proxy.cut() });
    eventStoreContract('EventStoreDB', createEventStoreDbHarness(server));
  });
}
