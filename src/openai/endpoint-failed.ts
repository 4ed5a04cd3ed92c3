export type EndpointFailureReason =
  | 'limited'
  | 'timeout'
  | 'network'
  /** Its address is not one to go to (contract 13.12). */
  | 'blocked'
  /** It does not let us in, does not know the model, or declines to answer. */
  | 'refused'
  | 'server_error'
  | 'unreadable'
  | 'too_large';

export interface FailureNotes extends ErrorOptions {
  readonly status?: number | null;
  /** How long it asks us to wait; null when it does not say. */
  readonly retryAfterMs?: number | null;
}

/** Something between us and the endpoint, or on its side; a mistake of our own is any other error. */
export class EndpointFailed extends Error {
  readonly reason: EndpointFailureReason;
  readonly status: number | null;
  readonly retryAfterMs: number | null;

  constructor(reason: EndpointFailureReason, { status = null, retryAfterMs = null, ...options }: FailureNotes = {}) {
    super(`the endpoint did not answer: ${reason}`, options);
    this.name = 'EndpointFailed';
    this.reason = reason;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}
