import { NO_STREAM } from '@eventstore/db-client';
import { v4 as uuid } from 'uuid';
import type { Random } from '../../ports/random.ts';
import { failureKind } from './failure-kind.ts';
import { readStream, type ServerCalls } from './server-calls.ts';

/** What the server keeps about a stream, with fields that are not ours left as they are. */
export interface StreamMetadata {
  /** Of the stream that the server keeps it in. */
  readonly revision: number | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Events numbered below it, from 0, are forgotten. A deleted stream has the largest number there is. */
export const truncateBefore = '$tb';

/** Ours: the version of a stream whose every event is forgotten, which the server tells no reader. */
export const versionField = 'registryVersion';

const metadataStreamOf = (stream: string): string => `$$${stream}`;

/** The client's own call answers a position where it promises the revision, so the stream is read as any other. */
export async function readMetadata(calls: ServerCalls, stream: string): Promise<StreamMetadata> {
  const event = (await readStream(calls, metadataStreamOf(stream), { backwards: true, limit: 1 }))?.[0];
  const fields = event?.isJson ? (JSON.parse(event.data.toString()) as Record<string, unknown>) : {};
  return { revision: event?.revision, fields };
}

/** Answers false when somebody else has written it since it was read. */
export async function writeMetadata(
  calls: ServerCalls,
  random: Random,
  stream: string,
  { revision, fields }: StreamMetadata,
): Promise<boolean> {
  const event = {
    id: uuid({ random: random.bytes(16) }),
    type: '$metadata',
    data: JSON.stringify(fields),
    metadata: '',
  };
  try {
    const expectedRevision = revision ?? NO_STREAM;
    await calls.append({ stream: metadataStreamOf(stream), events: [event], expectedRevision });
    return true;
  } catch (error) {
    if (failureKind(error) === 'conflict') return false;
    throw error;
  }
}
