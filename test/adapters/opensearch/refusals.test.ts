import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOpenSearchIndexes } from '../../../src/adapters/opensearch/search-indexes.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { BackendUnavailable } from '../../../src/kernel/backend-unavailable.ts';
import { StartupError } from '../../../src/kernel/startup-error.ts';
import { createKeptLog } from '../../spec/kept-log.ts';
import { documentOf, openIndex, putOf } from '../../spec/search-index/harness.ts';
import { describeOpenSearch } from './describe-opensearch.ts';
import { startFaultyWay } from './faulty-way.ts';
import { deleteIndexes, newPrefix } from './opensearch-backends.ts';

const open = (url: string, prefix: string) =>
  createOpenSearchIndexes({ urls: [url], prefix, clock: systemClock, log: createKeptLog() });

interface Refusal {
  readonly status: number;
  readonly type: string;
}

describe('an OpenSearch that refuses', () => {
  let server: Server;
  let refusal: Refusal | null;
  const url = () => `http://me:s3cret@127.0.0.1:${(server.address() as AddressInfo).port}`;

  beforeEach(async () => {
    refusal = null;
    server = createServer((request, response) => {
      request.resume();
      const { status = 200, type } = refusal ?? {};
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(refusal === null ? { acknowledged: true } : { status, error: { type } }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  const users: readonly Refusal[] = [
    { status: 401, type: 'unauthorized' },
    { status: 403, type: 'security_exception' },
  ];
  const blocks: readonly Refusal[] = [
    { status: 403, type: 'index_create_block_exception' },
    { status: 403, type: 'cluster_block_exception' },
  ];

  it.each(users)('is a start-up error at the first contact when it is the user: $status $type', async (refused) => {
    refusal = refused;
    await expect(open(url(), 'x')).rejects.toThrow(StartupError);
  });

  it.each(blocks)('is waited for when it takes no writes for now: $status $type', async (refused) => {
    refusal = refused;
    await expect(open(url(), 'x')).rejects.toThrow(BackendUnavailable);
  });

  it.each([...users, ...blocks])('is unavailable when it was used before: $status $type', async (refused) => {
    const indexes = await open(url(), 'x');
    refusal = refused;
    const thrown = await indexes.pointer().catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(BackendUnavailable);
    expect(thrown).toMatchObject({ backend: 'OpenSearch' });
    refusal = null;
    expect(await indexes.pointer()).toBeNull();
    await indexes.close();
  });
});

describeOpenSearch((server) => {
  it('is opened, fed and searched while no index can be made, and one that is new is waited for', async () => {
    const prefix = newPrefix();
    const way = await startFaultyWay(server);
    const before = await open(way.url, prefix);
    await before.open(1);
    await before.close();
    way.fail('new indexes');
    const indexes = await open(way.url, prefix);
    const { write, find } = await openIndex(indexes);
    expect(await write(1, putOf('release', 1, documentOf('one', { title: 'quokka' })))).toBe('written');
    expect(await find('quokka')).toEqual(['one']);
    await expect(indexes.open(2)).rejects.toThrow(BackendUnavailable);
    way.fail('nothing');
    expect(await (await indexes.open(2)).checkpoint()).toBe(0);
    await indexes.close();
    await way.close();
    await deleteIndexes(server, prefix);
  });
});
