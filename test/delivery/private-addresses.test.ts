import { describe, expect, it } from 'vitest';
import { isPublicAddress } from '../../src/delivery/private-addresses.ts';

// Of each range its first and last address, and those of its neighbours that are public.
const edges: readonly (readonly [range: string, first: string, last: string, ...neighbours: string[]])[] = [
  ['0/8', '0.0.0.0', '0.255.255.255', '1.0.0.0'],
  ['10/8', '10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64/10', '100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127/8', '127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['169.254/16', '169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16/12', '172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.0.0/24', '192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['192.0.2/24', '192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['192.88.99/24', '192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['192.168/16', '192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['198.18/15', '198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['198.51.100/24', '198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['203.0.113/24', '203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['224/4', '224.0.0.0', '239.255.255.255', '223.255.255.255'],
  ['240/4', '240.0.0.0', '255.255.255.255'],
  ['::/96, with ::/128 and ::1/128', '::', '::ffff:ffff', '::1:0:0'],
  ['::ffff:0:0/96', '::ffff:0:0', '::ffff:ffff:ffff', '::fffe:ffff:ffff', '::1:0:0:0'],
  ['::ffff:0:0:0/96', '::ffff:0:0:0', '::ffff:0:ffff:ffff', '::fffe:ffff:ffff:ffff', '::ffff:1:0:0'],
  ['64:ff9b::/96', '64:ff9b::', '64:ff9b::ffff:ffff', '64:ff9a:ffff:ffff:ffff:ffff:ffff:ffff', '64:ff9b::1:0:0'],
  ['64:ff9b:1::/48', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff', '64:ff9b:0:ffff::', '64:ff9b:2::'],
  ['100::/64', '100::', '100::ffff:ffff:ffff:ffff', 'ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '100:0:0:1::'],
  ['2001::/23', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2000:ffff:ffff:ffff::', '2001:200::'],
  ['2001:db8::/32', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db7:ffff::', '2001:db9::'],
  ['2002::/16', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:ffff:ffff::', '2003::'],
  ['3fff::/20', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', '3ffe:ffff:ffff::', '3fff:1000::'],
  ['5f00::/16', '5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '5eff:ffff:ffff::', '5f01::'],
  ['fc00::/7', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fbff:ffff:ffff::', 'fe00::'],
  ['fe80::/10', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fe7f:ffff:ffff::'],
  ['fec0::/10', 'fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['ff00::/8', 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
];

describe('isPublicAddress', () => {
  it.each(edges)('knows where %s begins and ends', (_, first, last, ...neighbours) => {
    expect([first, last].filter(isPublicAddress)).toEqual([]);
    expect(neighbours.filter((address) => !isPublicAddress(address))).toEqual([]);
  });

  it('takes the usual public ones', () => {
    const usual = ['8.8.8.8', '93.184.216.34', '2606:4700:4700::1111', '2a00:1450:4001:81b::200e'];
    expect(usual.filter(isPublicAddress)).toEqual(usual);
  });

  it('reads every spelling of an address', () => {
    const inside = ['0:0:0:0:0:0:0:1', '::ffff:8.8.8.8', '::FFFF:7F00:1', 'FE80::1', '2130706433', '127.1'];
    const embedded = ['::1', '::7f00:1', '::127.0.0.1', '::ffff:0:127.0.0.1', '::FFFF:0:7F00:1'];
    expect([...inside, ...embedded].filter(isPublicAddress)).toEqual([]);
  });

  it('takes nothing for public that is no address', () => {
    const none = [
      '',
      'example.com',
      '8.8.8.8.8',
      '8.8.8.256',
      '[::2]',
      'fe80::1%eth0',
      '1::2::3',
      '8.8.8.8/32',
      ' 8.8.8.8',
    ];
    expect(none.filter(isPublicAddress)).toEqual([]);
  });
});
