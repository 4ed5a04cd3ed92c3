import type { Resolver } from '../ports/resolver.ts';
import { isPublicAddress } from './private-addresses.ts';
import { isUrl } from '../kernel/address/parse-url.ts';

/** Why a URL is no webhook target (contract 13.12). */
export type TargetRefusal =
  | 'invalid_url'
  | 'too_long'
  | 'not_https'
  | 'credentials'
  | 'port'
  | 'internal_host'
  | 'private_address'
  | 'dns_failed'
  | 'chat_host'
  | 'chat_path';

export type VettedTarget =
  /** The connection must go to one of the addresses; null: wherever the name leads. */
  | { readonly kind: 'allowed'; readonly addresses: readonly string[] | null }
  | { readonly kind: 'refused'; readonly reason: TargetRefusal };

export interface TargetGuard {
  /** Everything that can be said without asking for addresses. */
  readonly checkForm: (url: string) => TargetRefusal | null;
  readonly vet: (url: string) => Promise<VettedTarget>;
}

export interface TargetGuardDeps {
  readonly resolver: Resolver;
  /** For receivers on the same machine or network: lifts the rules about scheme, port, host and address. */
  readonly allowPrivate: boolean;
}

const urlCharsMax = 2_048;
const unprivilegedPortMin = 1_024;

const internalHosts = new Set(['localhost', 'metadata', 'metadata.google.internal', 'instance-data']);
const internalSuffixes = [
  ...['.localhost', '.local', '.internal', '.intranet', '.lan', '.home', '.corp', '.home.arpa', '.onion'],
  ...['.test', '.invalid'],
];

// The parser would mend these silently: white space, control characters, `https:host`, `https:///host`, backslashes.
const absoluteForm = /^[a-z][a-z\d+.-]*:\/\/[^\s\p{Cc}/\\?#][^\s\p{Cc}\\]*$/iu;

const parseTarget = (text: string): URL | null => {
  if (!absoluteForm.test(text) || !isUrl(text)) return null;
  const url = new URL(text);
  const labels = url.hostname.replace(/\.$/, '').split('.');
  return labels.includes('') ? null : url; // also when there is no host
};

interface Host {
  /** In ASCII and lower case, without the dot that an absolute name may end with, an IPv6 address without brackets. */
  readonly name: string;
  readonly isAddress: boolean;
}

/** The parser has turned every numeric spelling of an IPv4 address into four decimals. */
const hostOf = ({ hostname }: URL): Host => {
  if (hostname.startsWith('[')) return { name: hostname.slice(1, -1), isAddress: true };
  return { name: hostname.replace(/\.$/, ''), isAddress: /^\d+(\.\d+){3}$/.test(hostname) };
};

const isInternal = (name: string): boolean =>
  !name.includes('.') ||
  internalHosts.has(name) ||
  internalSuffixes.some((suffix) => name.endsWith(suffix) || `.${name}` === suffix);

/** What keeps a target on the public internet, in the order of the contract's table. */
const refusalOfPlace = (url: URL): TargetRefusal | null => {
  if (url.port !== '' && Number(url.port) < unprivilegedPortMin) return 'port'; // 443 is '', being the default
  const { name, isAddress } = hostOf(url);
  if (isAddress) return isPublicAddress(name) ? null : 'private_address';
  return isInternal(name) ? 'internal_host' : null;
};

export const createTargetGuard = ({ resolver, allowPrivate }: TargetGuardDeps): TargetGuard => {
  const schemes = allowPrivate ? ['https:', 'http:'] : ['https:'];

  const checkForm = (text: string): TargetRefusal | null => {
    const url = parseTarget(text);
    if (url === null) return 'invalid_url';
    if (text.length > urlCharsMax) return 'too_long';
    if (!schemes.includes(url.protocol)) return 'not_https';
    if (url.username !== '' || url.password !== '') return 'credentials';
    return allowPrivate ? null : refusalOfPlace(url);
  };

  const addressesOf = async (url: URL): Promise<readonly string[]> => {
    const { name, isAddress } = hostOf(url);
    return isAddress ? [name] : await resolver.addresses(name);
  };

  return {
    checkForm,
    vet: async (text) => {
      const reason = checkForm(text);
      if (reason !== null) return { kind: 'refused', reason };
      if (allowPrivate) return { kind: 'allowed', addresses: null };
      const addresses = await addressesOf(new URL(text));
      if (addresses.length === 0) return { kind: 'refused', reason: 'dns_failed' };
      // One private address among public ones is enough: a name must not lead inside even by chance.
      if (!addresses.every(isPublicAddress)) return { kind: 'refused', reason: 'private_address' };
      return { kind: 'allowed', addresses };
    },
  };
};
