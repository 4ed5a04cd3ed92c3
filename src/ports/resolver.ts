/** What addresses a host name has. */
export interface Resolver {
  /** All of them, IPv4 and IPv6; empty when the name has none or cannot be resolved now. */
  readonly addresses: (hostName: string) => Promise<readonly string[]>;
}
