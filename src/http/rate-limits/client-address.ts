import { type IpAddress, type IpRange, isInRange, parseAddress } from '../../kernel/address/ip-range.ts';
import { createRemembered } from './remembered.ts';

/** As much of a request as tells whom it is from. */
export interface AddressedRequest {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

const mappedPrefix = 0xffffn;

/** IPv6 sockets show IPv4 clients as `::ffff:1.2.3.4`, and addresses of a link with its name behind `%`. */
function readAddress(text: string): IpAddress | null {
  const address = parseAddress(text.replace(/%.*$/, ''));
  if (address?.bits === 128 && address.value >> 32n === mappedPrefix) {
    return { bits: 32, value: address.value & 0xffff_ffffn };
  }
  return address;
}

/** Some proxies name the port too: `1.2.3.4:5678`, `[2001:db8::1]:5678`. */
const withoutPort = (text: string): string => text.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');

/** A network of IPv6 is one client: whoever has one address of it has 2^64. */
const nameOf = ({ bits, value }: IpAddress): string =>
  bits === 32 ? `4:${value.toString(16)}` : `6:${(value >> 64n).toString(16)}`;

interface NamedAddress {
  /** Of what is no address, null. */
  readonly name: string | null;
  readonly isTrusted: boolean;
}

/** Of a connection that is gone already. */
const unknown = 'unknown';

/**
 * Names the client of a request: the peer, or whom trusted proxies forward for. Each proxy appends whom it heard from, so
 * the list is read from its end and only as far as it was written by proxies that are trusted; what stands before may
 * have been written by anybody.
 */
export function createClientAddress(trustedProxies: readonly IpRange[]): (request: AddressedRequest) => string {
  const named = createRemembered((text): NamedAddress => {
    const address = readAddress(text);
    if (address === null) return { name: null, isTrusted: false };
    return { name: nameOf(address), isTrusted: trustedProxies.some((range) => isInRange(address, range)) };
  });

  return ({ socket, headers }) => {
    let client = named(socket.remoteAddress ?? '');
    if (!client.isTrusted) return client.name ?? unknown;
    const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
    while (client.isTrusted) {
      const before = named(withoutPort(forwarded.pop()?.trim() ?? ''));
      if (before.name === null) break;
      client = before;
    }
    return client.name ?? unknown;
  };
}
