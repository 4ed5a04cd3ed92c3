import { isUrl } from './parse-url.ts';

export interface IpAddress {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

/** All addresses that begin with the same bits. */
export interface IpRange {
  readonly bits: IpAddress['bits'];
  readonly shift: bigint;
  readonly prefix: bigint;
}

const hexDigits = (number: string, base: 10 | 16, digits: number): string =>
  Number.parseInt(number, base).toString(16).padStart(digits, '0');

const valueOf = (parts: readonly string[], base: 10 | 16, digits: number): bigint =>
  BigInt(`0x${parts.map((part) => hexDigits(part, base, digits)).join('')}`);

/** The URL parser knows every spelling and gives the canonical one: four decimals, or groups with at most one `::`. */
export const parseAddress = (text: string): IpAddress | null => {
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

/** `10.0.0.0/8`, `fd00::/8`, or an address, which is a range of one. */
export const parseRange = (text: string): IpRange | null => {
  const [first = '', length, ...rest] = text.split('/');
  const address = parseAddress(first);
  if (address === null || rest.length > 0) return null;
  const { bits, value } = address;
  if (length !== undefined && (!/^\d{1,3}$/.test(length) || Number(length) > bits)) return null;
  const shift = BigInt(bits - Number(length ?? bits));
  return { bits, shift, prefix: value >> shift };
};

export const isInRange = (address: IpAddress, { bits, shift, prefix }: IpRange): boolean =>
  bits === address.bits && address.value >> shift === prefix;
