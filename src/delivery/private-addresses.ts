import { isInRange, parseAddress, parseRange } from '../kernel/address/ip-range.ts';

// Contract 13.12: nothing in these ranges is a receiver on the public internet.
const privateRanges = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  // Mapped IPv4 whatever it maps: no name server gives it in earnest, and some systems connect it past other rules.
  ...['::/128', '::1/128', '::ffff:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64', '2001::/23'],
  ...['2001:db8::/32', '2002::/16', '3fff::/20', '5f00::/16', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
  // Beyond the contract: IPv4-compatible and IPv4-translated. Both hold an IPv4 address, so a machine or gateway that
  // still translates them would lead inside; nobody routes them on the internet.
  ...['::/96', '::ffff:0:0:0/96'],
];

const ranges = privateRanges.map((text) => {
  const range = parseRange(text);
  if (range === null) throw new Error(`${text} is no range`);
  return range;
});

/** Whether it is an address on the public internet; what is no address is not. */
export const isPublicAddress = (text: string): boolean => {
  const address = parseAddress(text);
  return address !== null && !ranges.some((range) => isInRange(address, range));
};
