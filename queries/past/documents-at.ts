import type { RecordedEvent } from '../../src/kernel/event.ts';
import type { Document, Projection } from '../../src/kernel/projection.ts';
import { type StreamCategory, streamOf } from '../../src/kernel/stream-name.ts';
import type { StreamSlice } from '../../src/ports/event-store.ts';
import type { PastDeps } from './past-deps.ts';
import { streamEvents } from './stream-events.ts';

/** Most streams have no more than these few events; with the longest texts in all of them this is some megabytes. */
const streamsAtOnce = 16;
const eventsAtFirst = 4;

/** A read model whose documents are each made of the events of one stream alone. */
export interface StreamsOfModel<Doc extends Document> {
  readonly projection: Projection<Doc>;
  readonly category: StreamCategory;
}

const isUntil = ({ metadata }: RecordedEvent, atMs: number): boolean => Date.parse(metadata.recordedAt) <= atMs;

const foldEvent = <Doc extends Document>(projection: Projection<Doc>, docs: Map<string, Doc>, event: RecordedEvent) => {
  for (const change of projection.on[event.type]?.fold(docs, event) ?? []) {
    if (change.kind === 'put') docs.set(change.doc.id, change.doc);
    else if (change.kind === 'delete') docs.delete(change.id);
  }
};

/**
 * The documents as they were at a moment, by id: what the read model's own fold makes of the events that were recorded until
 * then. A stream's events are recorded one after the other, so it is read no further.
 */
export const documentsAt = async <Doc extends Document>(
  deps: Pick<PastDeps, 'streams'>,
  { projection, category }: StreamsOfModel<Doc>,
  ids: readonly string[],
  atMs: number,
): Promise<ReadonlyMap<string, Doc>> => {
  const docs = new Map<string, Doc>();

  const foldStream = async ({ stream, version, events }: StreamSlice): Promise<void> => {
    for (const event of events) {
      if (!isUntil(event, atMs)) return;
      foldEvent(projection, docs, event);
    }
    const last = events.at(-1);
    if (last === undefined || last.version >= version) return;
    for await (const event of streamEvents(deps, stream, last.version + 1)) {
      if (!isUntil(event, atMs)) return;
      foldEvent(projection, docs, event);
    }
  };

  for (let start = 0; start < ids.length; start += streamsAtOnce) {
    const names = ids.slice(start, start + streamsAtOnce).map((id) => streamOf(category, id));
    for (const slice of await deps.streams.readMany(names, { limit: eventsAtFirst })) await foldStream(slice);
  }
  return docs;
};

/** Each event replaces all that was before it, so the newest one tells: read backwards, the first that is old enough. */
export const replacedDocumentAt = async <Doc extends Document>(
  { streams }: Pick<PastDeps, 'streams'>,
  { projection, category }: StreamsOfModel<Doc>,
  id: string,
  atMs: number,
): Promise<Doc | undefined> => {
  const docs = new Map<string, Doc>();
  const stream = streamOf(category, id);
  for (let from: number | undefined; from !== 0; ) {
    const page = { direction: 'backwards' as const, limit: eventsAtFirst };
    const { events } = await streams.read(stream, from === undefined ? page : { ...page, fromVersion: from });
    const newest = events.find((event) => isUntil(event, atMs));
    if (newest !== undefined) {
      foldEvent(projection, docs, newest);
      break;
    }
    from = (events.at(-1)?.version ?? 1) - 1;
  }
  return docs.get(id);
};
