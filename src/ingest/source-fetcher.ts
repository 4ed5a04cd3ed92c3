import type { ReleaseItem } from '../domain/release/fields.ts';

/** Why a third party could not be read. */
export type FetchFailureReason =
  /** It asks for patience: too many requests of ours. */
  | 'limited'
  /** No whole answer in time, or no turn among the fetches of this process. */
  | 'timeout'
  | 'network'
  | 'dns'
  | 'tls'
  /** Its address is not one to go to (contract 13.12), or it sends us on to another host. */
  | 'blocked'
  /** It does not let us in: a credential that it does not accept, or content that it may not show. */
  | 'refused'
  | 'server_error'
  /** It answered with something else than it should. */
  | 'unreadable'
  | 'too_large';

/** Something between us and the third party, or on its side; a mistake of our own is any other error. */
export class FetchFailed extends Error {
  readonly reason: FetchFailureReason;
  /** Of the answer, where there was one. */
  readonly status: number | null;

  constructor(reason: FetchFailureReason, status: number | null = null, options?: ErrorOptions) {
    super(`a third party could not be read: ${reason}`, options);
    this.name = 'FetchFailed';
    this.reason = reason;
    this.status = status;
  }
}

export interface FetchedSource {
  /** As the third party spells it now: what was asked for may have moved. */
  readonly coordinate: string;
  /** The newest first; empty when there is nothing to tell about. */
  readonly items: readonly ReleaseItem[];
  /** Releases that no item could be made of. */
  readonly leftOut: number;
}

/** Reads what a third party tells about the releases of one thing; one for each type of source. */
export interface SourceFetcher {
  /** Null when there is no such thing. Throws FetchFailed. */
  readonly fetch: (coordinate: string) => Promise<FetchedSource | null>;
}
