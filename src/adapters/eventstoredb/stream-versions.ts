import { WrongExpectedVersionError } from '@eventstore/db-client';
import { v4 as uuid } from 'uuid';
import type { Random } from '../../ports/random.ts';
import { failureKind } from './failure-kind.ts';
import { readStream, type ServerCalls } from './server-calls.ts';
import { readMetadata, type StreamMetadata, truncateBefore, versionField } from './stream-metadata.ts';

export interface StreamVersions {
  readonly read: (stream: string) => Promise<number>;
  /** Of a stream that is there and shows no event. */
  readonly ofEmpty: (stream: string) => Promise<number>;
  readonly ofEmptyWith: (stream: string, metadata: StreamMetadata) => Promise<number>;
}

/** No stream can have it, so that an append at it is refused, and the refusal tells the revision. */
export const impossibleRevision = Number.MAX_SAFE_INTEGER;

/** The version of a stream never falls, but readers are shown events only. */
export function createStreamVersions(calls: ServerCalls, random: Random): StreamVersions {
  /** The server knows the last revision of every stream; only writers are told. */
  const askByRefusal = async (stream: string): Promise<number> => {
    const event = {
      id: uuid({ random: random.bytes(16) }),
      type: '$version-asked',
      data: '{}',
      metadata: '',
    };
    try {
      await calls.append({ stream, events: [event], expectedRevision: impossibleRevision });
    } catch (error) {
      if (failureKind(error) !== 'conflict') throw error;
      const told = error instanceof WrongExpectedVersionError ? error.actualVersion : undefined;
      return typeof told === 'bigint' ? Number(told) + 1 : 0;
    }
    throw new Error(`EventStoreDB has taken an append to ${stream} at a revision that it cannot have.`);
  };

  const ofEmptyWith = async (stream: string, { revision, fields }: StreamMetadata): Promise<number> => {
    if (revision === undefined) return 0;
    const version = fields[versionField];
    // Ours, and nobody has truncated further since; else somebody has deleted or truncated the stream beside us.
    if (typeof version === 'number' && version === fields[truncateBefore]) return version;
    return askByRefusal(stream);
  };

  const ofEmpty = async (stream: string): Promise<number> => ofEmptyWith(stream, await readMetadata(calls, stream));

  return {
    ofEmpty,
    ofEmptyWith,
    read: async (stream) => {
      const found = await readStream(calls, stream, { backwards: true, limit: 1 });
      if (found === null) return 0;
      return found[0] === undefined ? ofEmpty(stream) : found[0].revision + 1;
    },
  };
}
