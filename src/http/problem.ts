import { BackendBusy, BackendUnavailable } from '../kernel/backend-unavailable.ts';
import { DomainError, errorTable, type ErrorCode, statusOfType } from '../kernel/errors.ts';
import { GenerationDropped, IndexUnavailable } from '../ports/search-index.ts';

/** Every 4xx and 5xx of every layer looks like this (contract 1.1). */
export interface Problem {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    readonly error: {
      readonly code: string;
      readonly type: string;
      readonly message: string;
      readonly details?: unknown;
    };
  };
}

const realm = 'Bearer realm="release-registry"';

function challengeOf(code: ErrorCode, details: DomainError['details']): string | undefined {
  const { type } = errorTable[code];
  if (type === 'unauthorized') return code === 'unauthorized' ? realm : `${realm}, error="invalid_token"`;
  if (type === 'insufficient_scope') {
    return `${realm}, error="insufficient_scope", scope="${String(details?.['required'] ?? '')}"`;
  }
  return undefined;
}

/** The hint on a public answer to a caller whose credential is no good. */
export const invalidTokenHint = `${realm}, error="invalid_token"`;

function retryAfterOf(error: DomainError): number | undefined {
  const asked = error.details?.['retryAfterSeconds'];
  const { retryAfterSeconds } = errorTable[error.code] as { retryAfterSeconds?: number };
  return typeof asked === 'number' ? Math.max(1, Math.ceil(asked)) : retryAfterSeconds;
}

function knownErrorOf(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (error instanceof IndexUnavailable || error instanceof GenerationDropped)
    return new DomainError('service_unavailable', { unreachable: ['search index'] });
  if (!(error instanceof BackendUnavailable)) return new DomainError('internal_error');
  // As readiness names it: the caller learns what to wait for.
  return new DomainError(
    'service_unavailable',
    error instanceof BackendBusy ? undefined : { unreachable: [error.backend] },
  );
}

/** What is not a DomainError is nobody's business outside: the log has it under the request id. */
export function problemOf(error: unknown): Problem {
  const known = knownErrorOf(error);
  const { type } = errorTable[known.code];
  const challenge = challengeOf(known.code, known.details);
  const retryAfter = retryAfterOf(known);
  return {
    status: statusOfType[type],
    headers: {
      'Cache-Control': 'no-store',
      ...(challenge !== undefined && { 'WWW-Authenticate': challenge }),
      ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
    },
    body: {
      error: {
        code: known.code,
        type,
        message: known.message,
        ...(known.details !== undefined && { details: known.details }),
      },
    },
  };
}
