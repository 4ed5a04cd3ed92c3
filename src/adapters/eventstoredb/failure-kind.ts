import { BackendUnavailable } from '../../kernel/backend-unavailable.ts';
import { StartupError } from '../../kernel/startup-error.ts';
import { TimedOut } from '../within-time.ts';

/**
 * conflict: another expected revision; absent: no such stream; refused: the server says no and always will;
 * unreachable: it may get better, and what was written may or may not be stored; unexplained: the server failed in a way
 * that says nothing; own: no failure of the server.
 */
export type FailureKind = 'conflict' | 'absent' | 'refused' | 'unreachable' | 'unexplained' | 'own';

const kindsOfTypes: Readonly<Record<string, FailureKind>> = {
  'wrong-expected-version': 'conflict',
  'stream-not-found': 'absent',
  'no-stream': 'absent',
  timeout: 'unreachable',
  'deadline-exceeded': 'unreachable',
  unavailable: 'unreachable',
  cancelled: 'unreachable',
  'not-leader': 'unreachable', // the client goes to the leader with the next call
  'access-denied': 'refused',
  'stream-deleted': 'refused',
  'invalid-argument': 'refused',
  'maximum-append-size-exceeded': 'refused',
  unsupported: 'refused',
};

const unauthenticated = 16;

/** Some failures come as the raw gRPC error. */
const kindsOfCodes: Readonly<Record<number, FailureKind>> = {
  1: 'unreachable', // cancelled
  3: 'refused', // invalid argument
  4: 'unreachable', // deadline exceeded
  7: 'refused', // permission denied
  10: 'unreachable', // aborted
  12: 'refused', // unimplemented
  13: 'unreachable', // internal: a connection that broke in the middle of an answer
  14: 'unreachable', // unavailable
  [unauthenticated]: 'refused',
};

/** Plain errors of the client: a cluster without a reachable node, and a channel closed under a call. */
const plainFailure = /^(Failed to discover|Channel has been shut down)/;

const fieldsOf = (error: unknown): { readonly type?: unknown; readonly code?: unknown; readonly message?: unknown } =>
  typeof error === 'object' && error !== null ? error : {};

/** By the error's type, then by its code: its message may be empty. */
export function failureKind(error: unknown): FailureKind {
  if (error instanceof TimedOut) return 'unreachable';
  const { type, code, message } = fieldsOf(error);
  if (typeof type === 'string' && kindsOfTypes[type] !== undefined) return kindsOfTypes[type];
  if (typeof code === 'number') return kindsOfCodes[code] ?? 'unexplained';
  if (typeof type === 'string') return 'unexplained';
  return plainFailure.test(String(message)) ? 'unreachable' : 'own';
}

/** What a caller sees when there is no use in trying again. A conflict and an absent stream are answers: left as they are. */
export function portError(error: unknown, what: string): unknown {
  const kind = failureKind(error);
  if (kind === 'unreachable') return new BackendUnavailable('EventStoreDB', { cause: error });
  if (kind !== 'refused' && kind !== 'unexplained') return error;
  const { type, code, message } = fieldsOf(error);
  if (code === unauthenticated) {
    return new StartupError('EventStoreDB refuses the user or the password of EVENT_STORE_URL.', { cause: error });
  }
  const reason = [message, type, `code ${String(code)}`].find((text) => typeof text === 'string' && text !== '');
  return new Error(`EventStoreDB has failed to ${what}: ${String(reason)}`, { cause: error });
}
