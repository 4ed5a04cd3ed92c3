import { NO_STREAM, WrongExpectedVersionError } from '@eventstore/db-client';
import type { Appended, VersionConflict } from '../../ports/event-store.ts';
import type { EncodedAppend } from '../encode-append.ts';
import { failureKind } from './failure-kind.ts';
import { readStream, type ServerCalls } from './server-calls.ts';
import { positionOf } from './stored-event.ts';
import type { StreamVersions } from './stream-versions.ts';

export interface AppendsDeps {
  readonly calls: ServerCalls;
  readonly versions: StreamVersions;
  readonly head: () => Promise<number>;
}

/** Ours count from 1 and 0 is no event ever; the server's revisions count from 0. */
const revisionOf = (version: number): number | typeof NO_STREAM => (version === 0 ? NO_STREAM : version - 1);

export function createAppends({ calls, versions, head }: AppendsDeps) {
  /** Of a repeat whose event was truncated meanwhile the server does not tell it: the head is not before it. */
  const positionAt = async (stream: string, revision: number): Promise<number> => {
    const event = (await readStream(calls, stream, { from: revision, limit: 1 }))?.[0];
    return event?.revision === revision ? positionOf(event) : head();
  };

  const conflict = async (stream: string, error: unknown): Promise<VersionConflict> => {
    const told = error instanceof WrongExpectedVersionError ? error.actualVersion : undefined;
    if (told === NO_STREAM || told === -1n) return { outcome: 'conflict', actualVersion: 0 };
    const version = typeof told === 'bigint' ? Number(told) + 1 : undefined;
    const actualVersion = Number.isSafeInteger(version) ? version! : await versions.read(stream);
    return { outcome: 'conflict', actualVersion };
  };

  return async ({ stream, expectedVersion, events }: EncodedAppend): Promise<Appended | VersionConflict> => {
    try {
      const expectedRevision = revisionOf(expectedVersion);
      const { revision, position } = await calls.append({ stream, events, expectedRevision });
      const at = position === undefined ? await positionAt(stream, revision) : positionOf({ position });
      return { outcome: 'appended', version: revision + 1, position: at };
    } catch (error) {
      if (failureKind(error) === 'conflict') return conflict(stream, error);
      throw error;
    }
  };
}
