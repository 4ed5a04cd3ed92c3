import type { BodyPartStored } from '../../domain/body/events.ts';
import type { BodyWrite, CommandRequest } from '../../kernel/command.ts';
import type { EventStore } from '../../ports/event-store.ts';
import { newEvents } from './new-events.ts';

/**
 * Stores large texts before the event that names them. A body stream is named by the hash of its text, so whoever
 * wrote it first wrote the same; each part is an append of its own to stay under the store's limit.
 */
export async function writeTexts(
  store: EventStore,
  bodies: readonly BodyWrite[],
  request: CommandRequest,
  now: string,
): Promise<void> {
  for (const { stream, parts } of bodies) {
    let { version } = await store.read(stream, { limit: 1, direction: 'backwards' });
    while (version < parts.length) {
      const event: BodyPartStored = {
        type: 'BodyPartStored.v1',
        data: { part: version, parts: parts.length, text: parts[version]! },
      };
      const events = newEvents([event], { stream, expectedVersion: version }, request, now);
      const result = await store.append({ stream, expectedVersion: version, events });
      // On a conflict another writer of the same text is ahead: go on from where it is.
      version = result.outcome === 'appended' ? result.version : result.actualVersion;
    }
  }
}
