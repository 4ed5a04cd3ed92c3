/** What a client may switch on; one type has exactly one HTTP status. */
export const statusOfType = {
  validation: 400,
  unauthorized: 401,
  forbidden: 403,
  insufficient_scope: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  rate_limited: 429,
  upstream: 502,
  unavailable: 503,
  internal: 500,
} as const;

export type ErrorType = keyof typeof statusOfType;

interface ErrorRow {
  readonly type: ErrorType;
  /** What a person reads: what was wrong and what to do. It may change; the code never does. */
  readonly sentence: string;
  readonly retryAfterSeconds?: number;
}

const row = (type: ErrorType, sentence: string, retryAfterSeconds?: number): ErrorRow =>
  retryAfterSeconds === undefined ? { type, sentence } : { type, sentence, retryAfterSeconds };

/** The one table of every code that the service can answer with. Codes are never reworded once shipped. */
export const errorTable = {
  validation_failed: row('validation', 'The request body is not valid; see details.issues.'),
  invalid_json: row('validation', 'The body is not a JSON object in valid UTF-8.'),
  unsupported_content_type: row('validation', 'Send the body as application/json.'),
  invalid_parameter: row('validation', 'A parameter has a value that is not allowed; see details.'),
  missing_parameter: row('validation', 'A required parameter is missing; see details.parameter.'),
  conflicting_parameters: row('validation', 'These parameters cannot be combined; see details.parameters.'),
  invalid_cursor: row('validation', 'The cursor is not valid here; start again without it.'),
  bare_slug_rejected: row('validation', 'Use the typed id here, or the path below its org.'),
  webhook_url_rejected: row('validation', 'This webhook URL is not allowed; see details.reason.'),
  signing_not_supported: row('validation', 'Subscriptions of this format have no signing key.'),
  unauthorized: row('unauthorized', 'Send a credential: Authorization: Bearer <key>.'),
  invalid_token: row('unauthorized', 'The credential is unknown, expired, revoked or malformed.'),
  user_required: row('unauthorized', 'Sign in as a user; machine credentials have no account.'),
  forbidden: row('forbidden', 'This option needs admin scope; see details.option.'),
  session_required: row('forbidden', 'Manage API keys from a session, not with a user API key.'),
  origin_not_allowed: row('forbidden', 'This origin may not write with a session cookie.'),
  insufficient_scope: row('insufficient_scope', 'The credential lacks the scope in details.required.'),
  not_found: row('not_found', 'There is no such thing, or it is not public.'),
  conflict: row('conflict', 'The value in details.field is taken, or the state does not allow this.'),
  ambiguous_slug: row('conflict', 'Several entities share this slug; pick one of details.candidates.'),
  slug_reserved: row('conflict', 'This slug is reserved; choose another.'),
  already_tracked: row('conflict', 'The org is tracked already.'),
  promotion_in_progress: row('conflict', 'A promotion of this org is running; wait for it.'),
  fetch_in_progress: row('conflict', 'A fetch of this source is running; wait for it.'),
  recover_in_progress: row('conflict', 'A recovery of this subscription is running; wait for it.'),
  subscription_disabled: row('conflict', 'Enable the subscription first.'),
  idempotency_conflict: row('conflict', 'This Idempotency-Key was used for another request.'),
  idempotency_in_progress: row('conflict', 'The first request with this key still runs; ask again.', 1),
  payload_too_large: row('too_large', 'The body is larger than details.limitBytes.'),
  rate_limited: row('rate_limited', 'Too many requests; wait details.retryAfterSeconds.', 1),
  limit_exceeded: row('rate_limited', 'A cap is reached; remove something first, see details.', 1),
  upstream_error: row('upstream', 'A third party failed; try again later.'),
  service_unavailable: row('unavailable', 'A part of the service is not available; try again shortly.', 1),
  database_not_initialized: row('unavailable', 'The store is not set up; run the commands in details.setup.', 1),
  projection_behind: row('unavailable', 'The read models are behind; ask again. A write is stored already.', 1),
  idempotency_unavailable: row('unavailable', 'Idempotency keys cannot be checked now; try again.', 1),
  internal_error: row('internal', 'Something failed on our side; the request id finds it in our log.'),
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorTable;

/** A failure that a caller may be told about. It is recognised by its code, never by its message. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  /** A string as details names the entity: `new DomainError('not_found', 'source')`. */
  constructor(code: ErrorCode, details?: Readonly<Record<string, unknown>> | string) {
    super(errorTable[code].sentence);
    this.name = 'DomainError';
    this.code = code;
    this.details = typeof details === 'string' ? { entity: details } : details;
  }
}

export const isDomainError = (error: unknown, code?: ErrorCode): error is DomainError =>
  error instanceof DomainError && (code === undefined || error.code === code);
