export interface Lease {
  readonly name: string;
  readonly holder: string;
  /** Rises with every change of holder; writes carry it, and a stale one writes nothing. */
  readonly epoch: number;
}

/** Expiry is judged by the store's own clock, so holders need not agree on the time. */
export interface Leases {
  /** The lease, taken or kept; null while another holder has it. */
  readonly acquire: (name: string, holder: string, ttlMs: number) => Promise<Lease | null>;
  /** False when it was lost meanwhile, or what it guards is gone. */
  readonly renew: (lease: Lease, ttlMs: number) => Promise<boolean>;
  /** Lets another holder take it at once. A lost lease is left alone. */
  readonly release: (lease: Lease) => Promise<void>;
}
