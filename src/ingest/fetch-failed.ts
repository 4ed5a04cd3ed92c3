/** Why a third party could not be read. */
export type FetchFailureReason =
  /** It asks for patience: too many requests of ours. */
  | 'limited'
  /** No whole answer in time, or no turn among the fetches of this process. */
  | 'timeout'
  | 'network'
  | 'dns'
  | 'tls'
  /** Its address is not one to go to (contract 13.12), it sends us on to another host, or its robots rules keep us out. */
  | 'blocked'
  /** It does not let us in: a credential that it does not accept, or content that it may not show. */
  | 'refused'
  | 'server_error'
  /** It answered with something else than it should. */
  | 'unreadable'
  | 'too_large';

export interface FetchFailureNotes extends ErrorOptions {
  readonly retryAfterMs?: number | null;
  /** What an operator reads instead of the reason alone. Says nothing that only we know, no address and no header. */
  readonly sentence?: string | null;
}

/** We ask for nothing before that time, and did not: it says nothing about the source. */
export const isOwnPause = ({ reason, status }: FetchFailed): boolean => reason === 'limited' && status === null;

/** Something between us and the third party, or on its side; a mistake of our own is any other error. */
export class FetchFailed extends Error {
  readonly reason: FetchFailureReason;
  /** Of the answer, where there was one. */
  readonly status: number | null;
  /** How long it asks us to wait; null when it does not say. */
  readonly retryAfterMs: number | null;
  /** Null where the reason says all. */
  readonly sentence: string | null;

  constructor(
    reason: FetchFailureReason,
    status: number | null = null,
    { retryAfterMs = null, sentence = null, ...options }: FetchFailureNotes = {},
  ) {
    super(sentence ?? `a third party could not be read: ${reason}`, options);
    this.name = 'FetchFailed';
    this.reason = reason;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.sentence = sentence;
  }
}
