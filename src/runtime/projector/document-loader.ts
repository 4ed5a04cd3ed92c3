import type { RecordedEvent } from '../../kernel/event.ts';
import { createPageSize } from '../../kernel/paging/page-size.ts';
import type { Document, Projection } from '../../kernel/projection.ts';
import { roughBytes } from '../../kernel/rough-bytes.ts';
import type { ReadModel } from '../../ports/read-models.ts';
import { idsToLoad } from './fold-batch.ts';

/** What is loaded for one step: about 8 MB with the page that goes beyond. */
const loadBytesMax = 6_000_000;
const pageBounds = { first: 16, countMax: 250, bytesMax: 2_000_000 };

export interface LoadedPart {
  /** The first of the events: fewer than all where their documents are large. */
  readonly events: readonly RecordedEvent[];
  readonly documents: readonly Document[];
}

export interface DocumentLoader {
  /** Loads what the events are folded into, for as many of them as can be held together. */
  readonly load: (events: readonly RecordedEvent[]) => Promise<LoadedPart>;
  /** What is written now is what will be loaded later, so that it tells how large documents are. */
  readonly saw: (documents: number, bytes: number) => void;
}

/** Small events may be about large documents: what a batch loads is bounded by itself. */
export function createDocumentLoader(projection: Projection, model: Pick<ReadModel, 'get'>): DocumentLoader {
  const size = createPageSize(pageBounds);
  return {
    load: async (events) => {
      const documents: Document[] = [];
      const asked = new Set<string>();
      let [count, bytes] = [0, 0];
      while (count < events.length && bytes < loadBytesMax) {
        const knownBefore = asked.size;
        for (; count < events.length && asked.size - knownBefore < size.count(); count += 1) {
          for (const id of idsToLoad(projection, events[count]!)) asked.add(id);
        }
        if (asked.size === knownBefore) continue;
        const found = await model.get([...asked].slice(knownBefore));
        const foundBytes = roughBytes(found);
        size.saw(found.length, foundBytes);
        documents.push(...found);
        bytes += foundBytes;
      }
      return { events: events.slice(0, count), documents };
    },
    saw: size.saw,
  };
}
