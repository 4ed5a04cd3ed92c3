import { expect, it } from 'vitest';
import { probeMongo } from '../../../src/adapters/mongodb/probe.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { startTcpProxy } from '../../spec/servers/tcp-proxy.ts';
import { describeMongo } from './describe-mongo.ts';
import { dropDatabase, newDatabaseUrl } from './mongo-backends.ts';

const timeoutMs = 2_000;

it('says that a server cannot be reached, without its password', async () => {
  const closed = await startTcpProxy({ host: '127.0.0.1', port: 9 });
  await closed.close();
  const url = `mongodb://me:s3cret@127.0.0.1:${closed.port}/x`;
  const probe = await probeMongo({ url, timeoutMs, nowMs: systemClock.nowMs });
  expect(probe).toMatchObject({ version: null, replicaSet: null, writable: false, transactions: false });
  expect(probe.findings).toEqual([{ what: 'server', ok: false, sentence: expect.stringContaining('ECONNREFUSED') }]);
  expect(JSON.stringify(probe)).not.toContain('s3cret');
});

describeMongo((server) => {
  it('finds a server well and leaves nothing behind', async () => {
    const url = newDatabaseUrl(server);
    const probe = await probeMongo({ url, timeoutMs: 10_000, nowMs: systemClock.nowMs });
    expect(probe.findings.filter(({ ok }) => !ok)).toEqual([]);
    expect(probe.findings.map(({ what }) => what)).toEqual([
      'server',
      'replica set',
      'clock',
      'collections',
      'majority',
      'transactions',
    ]);
    expect(probe).toMatchObject({ writable: true, canCreate: true, majorityWrites: true, transactions: true });
    await dropDatabase(url);
  });

  it('tells of a clock that is far off', async () => {
    const url = newDatabaseUrl(server);
    const nowMs = () => systemClock.nowMs() - 60_000;
    const { findings, clockSkewMs } = await probeMongo({ url, timeoutMs: 10_000, nowMs });
    expect(clockSkewMs).toBeGreaterThan(50_000);
    expect(findings.find(({ what }) => what === 'clock')).toMatchObject({ ok: false });
    await dropDatabase(url);
  });
});
