import type { Random } from '../../ports/random.ts';
import { readStream, type ServerCalls } from './server-calls.ts';
import { readMetadata, truncateBefore, versionField, writeMetadata } from './stream-metadata.ts';
import type { StreamVersions } from './stream-versions.ts';

/** Each is lost to another writer of the same stream's metadata; ours only go further. */
const triesMax = 20;

/**
 * Events below the mark are hidden at once; their bytes leave the log, and the order of all events, with the server's
 * next scavenge. A mark beyond the end would hide events to come, so it is never set there.
 */
export function createTruncation(calls: ServerCalls, versions: StreamVersions, random: Random) {
  return async (stream: string, beforeVersion: number): Promise<void> => {
    for (let tries = 0; tries < triesMax; tries++) {
      const metadata = await readMetadata(calls, stream); // first: a mark set later is then a conflict
      const last = (await readStream(calls, stream, { backwards: true, limit: 1 }))?.[0];
      const version = last ? last.revision + 1 : await versions.ofEmptyWith(stream, metadata);
      const mark = Math.min(beforeVersion - 1, version);
      const given = metadata.fields[truncateBefore];
      if (mark <= (typeof given === 'number' ? given : 0)) return;
      const fields = { ...metadata.fields, [truncateBefore]: mark, [versionField]: version };
      if (await writeMetadata(calls, random, stream, { revision: metadata.revision, fields })) return;
    }
    throw new Error(`The metadata of ${stream} was written by others ${triesMax} times while it was to be truncated.`);
  };
}
