import { describe, expect, it } from 'vitest';
import { createClientAddress } from '../../../src/http/rate-limits/client-address.ts';
import { parseRange } from '../../../src/kernel/address/ip-range.ts';

const addressOf = (peer: string | undefined, forwarded: string | undefined, ...trusted: string[]): string =>
  createClientAddress(trusted.map((range) => parseRange(range)!))({
    socket: { remoteAddress: peer },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  });

const peer = '198.51.100.1';
const proxy = '10.1.1.1';
const isSame = (a: string, b: string) => addressOf(a, undefined) === addressOf(b, undefined);

describe('the client of a request', () => {
  it('is the peer, whatever the peer says', () => {
    for (const forwarded of ['203.0.113.9', '10.1.1.1, 203.0.113.9', 'nonsense']) {
      expect(addressOf(peer, forwarded)).toBe(addressOf(peer, undefined));
      expect(addressOf(peer, forwarded, '10.0.0.0/8')).toBe(addressOf(peer, undefined));
    }
  });

  it('is whom a trusted proxy forwards for', () => {
    const client = addressOf('203.0.113.9', undefined);
    for (const forwarded of [
      '203.0.113.9',
      ' 203.0.113.9 ',
      '203.0.113.9:4711',
      '203.0.113.9, 10.2.2.2',
      '::ffff:203.0.113.9',
    ]) {
      expect(addressOf(proxy, forwarded, '10.0.0.0/8'), forwarded).toBe(client);
      expect(addressOf(`::ffff:${proxy}`, forwarded, '10.0.0.0/8'), forwarded).toBe(client);
    }
    const network = addressOf('2001:db8::7', undefined);
    expect(addressOf(proxy, '[2001:db8::7]:4711', proxy)).toBe(network);
    expect(addressOf(proxy, '2001:db8::7', proxy)).toBe(network);
  });

  it('is not whom the client claims to forward for', () => {
    expect(addressOf(proxy, '192.0.2.1, 203.0.113.9', '10.0.0.0/8')).toBe(addressOf('203.0.113.9', undefined));
    expect(addressOf(proxy, '10.9.9.9, 203.0.113.9, 10.2.2.2', '10.0.0.0/8')).toBe(addressOf('203.0.113.9', undefined));
  });

  it('is the last proxy that is known where nothing readable stands before it', () => {
    expect(addressOf(proxy, undefined, proxy)).toBe(addressOf(proxy, undefined));
    expect(addressOf(proxy, 'unknown', proxy)).toBe(addressOf(proxy, undefined));
    expect(addressOf(proxy, '203.0.113.9, garbage, 10.2.2.2', '10.0.0.0/8')).toBe(addressOf('10.2.2.2', undefined));
  });

  it('is a network of IPv6, and each address of IPv4', () => {
    expect(isSame('2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff')).toBe(true);
    expect(isSame('2001:db8:1:2::1', '2001:db8:1:3::1')).toBe(false);
    expect(isSame('fe80::1%eth0', 'fe80::2')).toBe(true);
    expect(isSame('::ffff:198.51.100.1', peer)).toBe(true);
    expect(isSame('198.51.100.2', peer)).toBe(false);
    expect(isSame('::1', '0.0.0.0')).toBe(false);
  });

  it('is one of its own where the connection is gone', () => {
    expect(addressOf(undefined, '203.0.113.9', '0.0.0.0/0', '::/0')).toBe('unknown');
  });
});
