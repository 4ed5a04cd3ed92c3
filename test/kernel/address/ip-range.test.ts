import { describe, expect, it } from 'vitest';
import { isInRange, parseAddress, parseRange } from '../../../src/kernel/address/ip-range.ts';

const isWithin = (text: string, range: string): boolean => isInRange(parseAddress(text)!, parseRange(range)!);

describe('a range of addresses', () => {
  it.each([
    ['10.0.0.0/8', ['10.0.0.0', '10.255.255.255'], ['9.255.255.255', '11.0.0.0', '::a00:0']],
    ['192.0.2.7', ['192.0.2.7'], ['192.0.2.6', '192.0.2.8']],
    ['2001:db8::/32', ['2001:db8::', '2001:DB8:FFFF::1'], ['2001:db9::', '32.1.13.184']],
    ['::1', ['::1', '0:0:0:0:0:0:0:1'], ['::2', '127.0.0.1']],
    ['0.0.0.0/0', ['0.0.0.0', '255.255.255.255'], ['::']],
  ])('%s holds its addresses and no others', (range, inside, outside) => {
    expect(inside.filter((address) => !isWithin(address, range))).toEqual([]);
    expect(outside.filter((address) => isWithin(address, range))).toEqual([]);
  });

  it.each(['', 'localhost', '10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/-1', '10.0.0.256'])(
    'is not what %j is',
    (text) => {
      expect(parseRange(text)).toBeNull();
    },
  );
});
