import { NO_STREAM, WrongExpectedVersionError } from '@eventstore/db-client';
import type { Appended, VersionConflict } from '../../ports/event-store.ts';
import type { EncodedAppend } from '../encode-append.ts';
import { failureKind } from './failure-kind.ts';
import { readStream, type ServerCalls } from './server-calls.ts';
import { clientEvent, positionOf } from './stored-event.ts';
import type { StreamVersions } from './stream-versions.ts';

export interface AppendsDeps {
  readonly calls: ServerCalls;
  readonly versions: StreamVersions;
  readonly head: () => Promise<number>;
}

/** Ours count from 1 and 0 is no event ever; the server's revisions count from 0. */
export const revisionOf = (version: number): bigint | typeof NO_STREAM =>
  version === 0 ? NO_STREAM : BigInt(version - 1);

export function createAppends({ calls, versions, head }: AppendsDeps) {
  /** Of a repeat whose event was truncated meanwhile the server does not tell it: the head is not before it. */
  const positionAt = async (stream: string, revision: bigint): Promise<number> => {
    const event = (await readStream(calls, stream, { fromRevision: revision, maxCount: 1 }))?.[0];
    return event?.revision === revision ? positionOf(event.position) : head();
  };

  const conflict = async (stream: string, error: unknown): Promise<VersionConflict> => {
    const told = error instanceof WrongExpectedVersionError ? error.actualVersion : undefined;
    if (told === NO_STREAM || told === -1n) return { outcome: 'conflict', actualVersion: 0 };
    const actualVersion = typeof told === 'bigint' ? Number(told) + 1 : await versions.read(stream);
    return { outcome: 'conflict', actualVersion };
  };

  return async ({ stream, expectedVersion, events }: EncodedAppend): Promise<Appended | VersionConflict> => {
    try {
      const result = await calls.append(stream, events.map(clientEvent), revisionOf(expectedVersion));
      const position = result.position
        ? positionOf(result.position)
        : await positionAt(stream, result.nextExpectedRevision);
      return { outcome: 'appended', version: Number(result.nextExpectedRevision) + 1, position };
    } catch (error) {
      if (failureKind(error) === 'conflict') return conflict(stream, error);
      throw error;
    }
  };
}
