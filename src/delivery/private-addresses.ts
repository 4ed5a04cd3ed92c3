import { isUrl } from '../kernel/address/parse-url.ts';

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

interface Address {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

const hexDigits = (number: string, base: 10 | 16, digits: number): string =>
  Number.parseInt(number, base).toString(16).padStart(digits, '0');

const valueOf = (parts: readonly string[], base: 10 | 16, digits: number): bigint =>
  BigInt(`0x${parts.map((part) => hexDigits(part, base, digits)).join('')}`);

/** The URL parser knows every spelling and gives the canonical one: four decimals, or groups with at most one `::`. */
const parseAddress = (text: string): Address | null => {
  const host = text.includes(':') ? `[${text}]` : text;
  if (!/^[\da-f.:[\]]+$/i.test(host) || !isUrl(`http://${host}/`)) return null;
  const { hostname } = new URL(`http://${host}/`);
  if (/^\d+(\.\d+){3}$/.test(hostname)) return { bits: 32, value: valueOf(hostname.split('.'), 10, 2) };
  if (!hostname.startsWith('[')) return null;
  const [before = [], after = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((side) => side.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  return { bits: 128, value: valueOf([...before, ...zeros, ...after], 16, 4) };
};

const ranges = privateRanges.map((range) => {
  const [text = '', length] = range.split('/');
  const first = parseAddress(text);
  if (first === null) throw new Error(`${range} is no range`);
  const shift = BigInt(first.bits - Number(length));
  return { bits: first.bits, shift, prefix: first.value >> shift };
});

/** Whether it is an address on the public internet; what is no address is not. */
export const isPublicAddress = (text: string): boolean => {
  const address = parseAddress(text);
  if (address === null) return false;
  return ranges.every(({ bits, shift, prefix }) => bits !== address.bits || address.value >> shift !== prefix);
};
