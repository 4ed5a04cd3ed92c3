import { type InstantsDocument, instantsPlace } from '../../projections/instants/instants.ts';
import {
  type ChunkInstants,
  chunkInstants,
  joinChunks,
  joinMonths,
  noInstants,
  type SourceInstants,
} from './source-instants.ts';

interface Month {
  readonly chunks: Map<string, ChunkInstants>;
  /** All of its chunks by date; null when one has changed since. */
  joined: ChunkInstants | null;
}

/**
 * Keeps the chunks apart, as they change one by one, and joins them when somebody asks. Only the month that has changed is
 * put in order again: the others of a large source are copied.
 */
export const createInstantsBySource = () => {
  const monthsBySource = new Map<string, Map<string, Month>>();
  const joined = new Map<string, SourceInstants>();

  const changed = (id: string): { readonly month: Month; readonly chunk: string } => {
    const { sourceId, month: name, chunk } = instantsPlace(id);
    const months = monthsBySource.get(sourceId) ?? new Map<string, Month>();
    const month = months.get(name) ?? { chunks: new Map<string, ChunkInstants>(), joined: null };
    monthsBySource.set(sourceId, months.set(name, month));
    month.joined = null;
    joined.delete(sourceId);
    return { month, chunk };
  };

  return {
    apply: (doc: InstantsDocument) => {
      const { month, chunk } = changed(doc.id);
      month.chunks.set(chunk, chunkInstants(doc));
    },
    remove: (id: string) => {
      const { month, chunk } = changed(id);
      month.chunks.delete(chunk);
    },
    instantsOf: (sourceId: string): SourceInstants => {
      const known = joined.get(sourceId);
      if (known !== undefined) return known;
      const months = monthsBySource.get(sourceId);
      if (months === undefined) return noInstants;
      for (const [name, month] of months) month.joined ??= joinChunks(name, [...month.chunks.values()]);
      const instants = joinMonths(new Map([...months].map(([name, { joined: numbers }]) => [name, numbers!])));
      joined.set(sourceId, instants);
      return instants;
    },
  };
};
