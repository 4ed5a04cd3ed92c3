import { Resolver as DnsResolver } from 'node:dns/promises';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createResolver,
  type NameQuery,
  type ResolverOptions,
  systemResolver,
} from '../../../src/adapters/system/resolver.ts';
import type { Resolver } from '../../../src/ports/resolver.ts';
import { eventually } from '../../spec/eventually.ts';
import { createFakeClock } from '../../spec/fake-clock.ts';
import { type DnsServer, type DnsZone, startDnsServer } from './dns-server.ts';

const servers: DnsServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** Of the name servers that know these names; time for the cache stands still until it is moved. */
const resolverOf = async (zone: DnsZone, options: ResolverOptions = {}) => {
  const server = await startDnsServer(zone);
  servers.push(server);
  const queries: NameQuery[] = [];
  const openQuery = (): NameQuery => {
    const query = new DnsResolver({ timeout: 60_000, tries: 1 });
    query.setServers([server.address]);
    queries.push(query);
    return query;
  };
  const clock = createFakeClock();
  const resolver: Resolver = createResolver({ openQuery, clock, ...options });
  return { ...resolver, asked: server.asked, queries, clock };
};

describe('the addresses of a name', () => {
  it('are all of both families, those of IPv4 first', async () => {
    const zone = { 'example.com': ['2001:db8::1', '192.0.2.1', '2001:db8::2', '192.0.2.2'] };
    const { addresses, asked } = await resolverOf(zone);
    expect(await addresses('example.com')).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8::2']);
    expect(asked.toSorted()).toEqual(['example.com A', 'example.com AAAA']);
  });

  it('may be of one family', async () => {
    const { addresses } = await resolverOf({ 'four.example': ['192.0.2.1'], 'six.example': ['2001:db8::1'] });
    expect(await addresses('four.example')).toEqual(['192.0.2.1']);
    expect(await addresses('six.example')).toEqual(['2001:db8::1']);
  });

  it.each(['nxdomain', 'servfail', 'refused'] as const)('are none after %s', async (answer) => {
    const { addresses } = await resolverOf({ 'example.com': answer });
    expect(await addresses('example.com')).toEqual([]);
  });

  it('are none where there is a name without any', async () => {
    const { addresses } = await resolverOf({ 'example.com': [] });
    expect(await addresses('example.com')).toEqual([]);
  });

  it('are none where no name server listens', async () => {
    const { addresses } = await resolverOf({ 'example.com': ['192.0.2.1'] });
    await servers.pop()?.close();
    expect(await addresses('example.com')).toEqual([]);
  });

  it.each(['servfail', 'silent'] as const)('are those of one family where the other is %s', async (aaaa) => {
    const { addresses } = await resolverOf({ 'example.com': { a: ['192.0.2.1'], aaaa } }, { timeoutMs: 1_000 });
    expect(await addresses('example.com')).toEqual(['192.0.2.1']);
  });

  it('are none of what is no name', async () => {
    expect(await systemResolver.addresses(`${'a'.repeat(300)}.invalid`)).toEqual([]);
  });

  it('are unknown, not none, when this machine has failed', async () => {
    const fail = () => Promise.reject(Object.assign(new Error('ENOMEM'), { code: 'ENOMEM' }));
    const openQuery = () => ({ resolve4: fail, resolve6: fail, cancel: () => undefined });
    const { addresses } = await resolverOf({}, { openQuery });
    await expect(addresses('example.com')).rejects.toThrow('ENOMEM');
  });
});

describe('a name whose servers are silent', () => {
  it('has no address when its time is over', async () => {
    const { addresses } = await resolverOf({ 'silent.example': 'silent' }, { timeoutMs: 50 });
    expect(await addresses('silent.example')).toEqual([]);
  });

  it('holds up no other, however many there are', async () => {
    const silent = Array.from({ length: 50 }, (_, number) => `silent-${number}.example`);
    const zone = {
      ...Object.fromEntries(silent.map((name) => [name, 'silent' as const])),
      'example.com': ['192.0.2.1'],
    };
    const { addresses, asked, queries } = await resolverOf(zone, { timeoutMs: 60_000 });
    let endedCount = 0;
    const all = Promise.all(silent.map((name) => addresses(name).finally(() => (endedCount += 1))));
    await eventually('all are asked for', () => asked.length === 100);
    expect(await addresses('example.com')).toEqual(['192.0.2.1']);
    expect(endedCount).toBe(0);
    for (const query of queries) query.cancel();
    expect(await all).toEqual(silent.map(() => []));
  });
});

describe('a name server', () => {
  it('is asked once by all who ask at the same time', async () => {
    const { addresses, asked } = await resolverOf({ 'example.com': ['192.0.2.1'], 'none.example': 'nxdomain' });
    const names = ['example.com', 'none.example', 'example.com', 'none.example'];
    expect(await Promise.all(names.map(addresses))).toEqual([['192.0.2.1'], [], ['192.0.2.1'], []]);
    expect(asked.length).toBe(4);
  });

  it('is asked again for what it said 10 s ago', async () => {
    const zone: Record<string, readonly string[]> = { 'example.com': ['192.0.2.1'] };
    const { addresses, asked, clock } = await resolverOf(zone);
    await addresses('example.com');
    zone['example.com'] = ['192.0.2.2'];
    clock.advance(9_999);
    expect(await addresses('example.com')).toEqual(['192.0.2.1']);
    expect(asked.length).toBe(2);
    clock.advance(1);
    expect(await addresses('example.com')).toEqual(['192.0.2.2']);
    expect(asked.length).toBe(4);
    clock.advance(9_999);
    expect(await addresses('example.com')).toEqual(['192.0.2.2']);
    expect(asked.length).toBe(4);
  });

  it('is asked again when the clock was set back', async () => {
    const { addresses, asked, clock } = await resolverOf({ 'example.com': ['192.0.2.1'] });
    await addresses('example.com');
    clock.advance(-3_600_000);
    await addresses('example.com');
    expect(asked.length).toBe(4);
  });

  it.each(['nxdomain', 'servfail', 'silent'] as const)('is asked again at once after %s', async (answer) => {
    const zone: Record<string, readonly string[] | typeof answer> = { 'example.com': answer };
    const { addresses } = await resolverOf(zone, { timeoutMs: 1_000 });
    expect(await addresses('example.com')).toEqual([]);
    zone['example.com'] = ['192.0.2.1'];
    expect(await addresses('example.com')).toEqual(['192.0.2.1']);
  });

  it('is asked again at once after a failure of this machine', async () => {
    let isBroken = true;
    const resolve4 = async () => {
      if (isBroken) throw Object.assign(new Error('ENOMEM'), { code: 'ENOMEM' });
      return ['192.0.2.1'];
    };
    const resolve6 = async () => [];
    const openQuery = () => ({ resolve4, resolve6, cancel: () => undefined });
    const { addresses } = await resolverOf({}, { openQuery });
    await expect(addresses('example.com')).rejects.toThrow('ENOMEM');
    isBroken = false;
    expect(await addresses('example.com')).toEqual(['192.0.2.1']);
  });

  it('is asked again for the oldest of more than 1,000 names', async () => {
    const names = Array.from({ length: 1_001 }, (_, number) => `host-${number}.example`);
    const { addresses, asked } = await resolverOf(Object.fromEntries(names.map((name) => [name, ['192.0.2.1']])));
    for (const name of names) await addresses(name);
    expect(asked.length).toBe(2_002);
    await addresses('host-1.example');
    expect(asked.length).toBe(2_002);
    await addresses('host-0.example');
    expect(asked.slice(2_002).toSorted()).toEqual(['host-0.example A', 'host-0.example AAAA']);
  });
});
