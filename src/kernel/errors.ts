import {
  ambiguousSentence,
  bareSlugSentence,
  capSentence,
  conflictingSentence,
  conflictSentence,
  contentTypeSentence,
  forbiddenSentence,
  invalidSentence,
  missingSentence,
  notFoundSentence,
  parameterSentence,
  quoted,
  rateSentence,
  reservedSentence,
  scopeSentence,
  type Sentence,
  setupSentence,
  tooLargeSentence,
  webhookUrlSentence,
} from './error-sentences.ts';

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
  readonly sentence: Sentence | string;
  readonly retryAfterSeconds?: number;
}

const row = (type: ErrorType, sentence: Sentence | string, retryAfterSeconds?: number): ErrorRow =>
  retryAfterSeconds === undefined ? { type, sentence } : { type, sentence, retryAfterSeconds };

/** The one table of every code that the service can answer with. Codes are never reworded once shipped. */
export const errorTable = {
  validation_failed: row('validation', invalidSentence),
  invalid_json: row('validation', 'The body is not a JSON object in valid UTF-8.'),
  unsupported_content_type: row('validation', contentTypeSentence),
  invalid_parameter: row('validation', parameterSentence),
  missing_parameter: row('validation', missingSentence),
  conflicting_parameters: row('validation', conflictingSentence),
  invalid_cursor: row('validation', 'The cursor is not valid here; start again without it.'),
  bare_slug_rejected: row('validation', bareSlugSentence),
  webhook_url_rejected: row('validation', webhookUrlSentence),
  signing_not_supported: row('validation', 'Subscriptions of this format have no signing key.'),
  unauthorized: row('unauthorized', 'Send a credential: Authorization: Bearer <key>.'),
  invalid_token: row('unauthorized', 'The credential is unknown, expired, revoked or malformed.'),
  user_required: row('unauthorized', 'Sign in as a user; machine credentials have no account.'),
  forbidden: row('forbidden', forbiddenSentence),
  session_required: row('forbidden', 'Manage API keys from a session, not with a user API key.'),
  origin_not_allowed: row('forbidden', 'This origin may not write with a session cookie.'),
  insufficient_scope: row('insufficient_scope', scopeSentence),
  not_found: row('not_found', notFoundSentence),
  conflict: row('conflict', conflictSentence),
  ambiguous_slug: row('conflict', ambiguousSentence),
  slug_reserved: row('conflict', reservedSentence),
  already_tracked: row('conflict', 'The org is tracked already.'),
  promotion_in_progress: row('conflict', 'A promotion of this org is running; wait for it.'),
  fetch_in_progress: row('conflict', 'A fetch of this source is running; wait for it.'),
  recover_in_progress: row('conflict', 'A recovery of this subscription is running; wait for it.'),
  subscription_disabled: row('conflict', 'Enable the subscription first.'),
  idempotency_conflict: row('conflict', 'This Idempotency-Key was used for another request.'),
  idempotency_in_progress: row('conflict', 'The first request with this key still runs; ask again.', 1),
  payload_too_large: row('too_large', tooLargeSentence),
  rate_limited: row('rate_limited', rateSentence, 1),
  limit_exceeded: row('rate_limited', capSentence, 1),
  upstream_error: row('upstream', 'A third party failed; try again later.'),
  service_unavailable: row('unavailable', 'A part of the service is not available; try again shortly.', 1),
  database_not_initialized: row('unavailable', setupSentence, 1),
  projection_behind: row('unavailable', 'The read models are behind; ask again. A write is stored already.', 1),
  idempotency_unavailable: row('unavailable', 'Idempotency keys cannot be checked now; try again.', 1),
  internal_error: row('internal', 'Something failed on our side; the request id finds it in our log.'),
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorTable;

/** A failure that a caller may be told about. It is recognised by its code, never by its message. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  /**
   * A string as details names the entity: `new DomainError('not_found', 'source')`. The sentence is what a person reads;
   * it is given where more is known than the details tell.
   */
  constructor(code: ErrorCode, details?: Readonly<Record<string, unknown>> | string, sentence?: string) {
    const told = typeof details === 'string' ? { entity: details } : details;
    const { sentence: usual } = errorTable[code] as ErrorRow;
    super(sentence ?? (typeof usual === 'string' ? usual : usual(told ?? {})));
    this.name = 'DomainError';
    this.code = code;
    this.details = told;
  }
}

export const isDomainError = (error: unknown, code?: ErrorCode): error is DomainError =>
  error instanceof DomainError && (code === undefined || error.code === code);

/** Of a thing that was asked for by name: `There is no org \`acmee\`.` */
export const notFound = (entity: string, name: string): DomainError =>
  new DomainError('not_found', entity, `There is no ${entity} ${quoted(name)}.`);

/** Of a slug where only an id tells which one is meant. */
export const bareSlugRejected = (entity: string, slug: string): DomainError =>
  new DomainError(
    'bare_slug_rejected',
    entity,
    `${quoted(slug)} is no id: a ${entity} is addressed by its typed id here, or by its path below its org.`,
  );

export interface RefusedParameter {
  readonly parameter: string;
  /** Goes on where the name stopped: "must be a whole number". */
  readonly reason: string;
  /** As it was sent. */
  readonly value: unknown;
  readonly allowed?: readonly unknown[];
}

export const invalidParameter = ({ parameter, reason, value, allowed }: RefusedParameter): DomainError =>
  new DomainError(
    'invalid_parameter',
    { parameter, reason, ...(allowed && { allowed }) },
    `${quoted(parameter)} ${reason}; it was ${quoted(value)}.`,
  );
