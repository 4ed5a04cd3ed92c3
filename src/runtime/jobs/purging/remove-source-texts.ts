import { type Model, foldEvents } from '../../../kernel/model.ts';
import type { TextBegun } from '../../../domain/body/events.ts';
import { bodyStream, textsStream } from '../../../domain/body/split-body.ts';
import type { ChangelogEvent, ChangelogFileStored, ChangelogRemoved } from '../../../domain/changelog/events.ts';
import { pathHash } from '../../../domain/changelog/path-hash.ts';
import { type ChangelogState, changelog } from '../../../domain/changelog/state.ts';
import type { SummaryRemoved } from '../../../domain/summary/events.ts';
import type { EventMetadata, RecordedEvent } from '../../../kernel/event.ts';
import { streamOf } from '../../../kernel/stream-name.ts';
import type { EventStore } from '../../../ports/event-store.ts';
import { newEvents } from '../../commands/new-events.ts';
import { endStreams } from '../end-streams.ts';
import { bodiesAtOnce, bodyErased } from '../erase-texts.ts';

/** Leaves nothing of these summaries of a source; answers the position that read models have to pass. */
export function removeSummaries(
  store: EventStore,
  { sourceId, summaryIds }: { readonly sourceId: string; readonly summaryIds: readonly string[] },
  metadata: EventMetadata,
): Promise<number> {
  const event: SummaryRemoved = { type: 'SummaryRemoved.v1', data: { sourceId, removedAt: metadata.recordedAt } };
  return endStreams(
    store,
    summaryIds.map((id) => ({ stream: streamOf('summary', id), event, metadata })),
  );
}

/**
 * Of its files; of those that these have replaced, which the sweeper may not have come to; and of texts that were begun
 * and belong to none yet: their writer finds what it wanted to go on with ended.
 */
async function textsOf(store: EventStore, sourceId: string, stored: readonly RecordedEvent[]): Promise<string[]> {
  const { events } = await store.read(textsStream(sourceId));
  const begun = events.map((event) => (event as RecordedEvent<TextBegun>).data.sha256);
  const named = stored.flatMap(({ type, data }) => {
    if (type !== 'ChangelogFileStored.v1') return [];
    const { text, replacedKey } = data as ChangelogFileStored['data'];
    return replacedKey === null ? [text.key] : [text.key, replacedKey];
  });
  const keys = new Set([...named, ...begun]);
  return Array.from(keys, (key) => bodyStream(sourceId, key));
}

/** Leaves nothing of the changelog files of a source; answers the position that read models have to pass. */
export async function removeChangelog(store: EventStore, sourceId: string, metadata: EventMetadata): Promise<number> {
  const stream = streamOf('changelog', sourceId);
  const model: Model<ChangelogState, ChangelogEvent> = changelog;
  let position = 0;
  for (;;) {
    const { version, events } = await store.read(stream);
    const state = foldEvents(model, events);
    const bodies = await textsOf(store, sourceId, events);
    for (let from = 0; from < bodies.length; from += bodiesAtOnce) {
      const ends = bodies
        .slice(from, from + bodiesAtOnce)
        .map((body) => ({ stream: body, event: bodyErased, metadata }));
      position = Math.max(position, await endStreams(store, ends));
    }
    const last = events.at(-1);
    if (last === undefined || last.type === 'ChangelogRemoved.v1') {
      if (last !== undefined) await store.truncate(stream, version);
      return Math.max(position, last?.position ?? 0);
    }
    const pathHashes = state.files.map(({ path }) => pathHash(path));
    const removed: ChangelogRemoved = {
      type: 'ChangelogRemoved.v1',
      data: { pathHashes, removedAt: metadata.recordedAt },
    };
    const target = { stream, expectedVersion: version };
    // Looked at once more in any case: what somebody stored meanwhile must go, too.
    await store.append({ ...target, events: newEvents([removed], target, metadata, metadata.recordedAt) });
  }
}
