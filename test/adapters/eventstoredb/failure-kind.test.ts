import { CancelledError, NotFoundError, UnavailableError, UnknownError } from '@eventstore/db-client';
import { describe, expect, it } from 'vitest';
import { failureKind, portError } from '../../../src/adapters/eventstoredb/failure-kind.ts';
import { TimedOut } from '../../../src/adapters/within-time.ts';
import { BackendUnavailable } from '../../../src/kernel/backend-unavailable.ts';
import { StartupError } from '../../../src/kernel/startup-error.ts';

const grpc = (code: number, message = '') => Object.assign(new Error(message), { code });

describe('EventStoreDB failures', () => {
  it.each([
    [new UnavailableError(), 'unreachable'],
    [new CancelledError(), 'unreachable'],
    [new TimedOut({ server: 'EventStoreDB', what: 'read', timeoutMs: 1 }), 'unreachable'],
    [grpc(14), 'unreachable'],
    [grpc(4), 'unreachable'],
    [grpc(13, 'Received RST_STREAM with code 2'), 'unreachable'],
    [new Error('Failed to discover after 10 attempts.'), 'unreachable'],
    [new Error('Channel has been shut down'), 'unreachable'],
    [{ type: 'wrong-expected-version' }, 'conflict'],
    [{ type: 'stream-not-found' }, 'absent'],
    [{ type: 'access-denied' }, 'refused'],
    [grpc(7), 'refused'],
    [grpc(16), 'refused'],
    [Object.assign(new UnknownError(), { code: 3 }), 'refused'],
    [new UnknownError(), 'unexplained'],
    [new NotFoundError(), 'unexplained'],
    [grpc(2), 'unexplained'],
    [new TypeError('a mistake of ours'), 'own'],
    ['a text', 'own'],
    [undefined, 'own'],
  ] as const)('are told apart by type and code, not by message: %s', (error, kind) => {
    expect(failureKind(error)).toBe(kind);
  });

  it('reach callers with their cause, and answers as they are', () => {
    expect(portError(grpc(14), 'read')).toBeInstanceOf(BackendUnavailable);
    expect(portError(grpc(7), 'read org-a')).toMatchObject({
      message: 'EventStoreDB has failed to read org-a: code 7',
      cause: { code: 7 },
    });
    expect(portError(grpc(16, 'no'), 'read org-a')).toBeInstanceOf(StartupError);
    const conflict = { type: 'wrong-expected-version' };
    expect(portError(conflict, 'append')).toBe(conflict);
  });
});
