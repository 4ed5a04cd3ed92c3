import { type InstantsDocument, instantsPlace } from '../../projections/instants/instants.ts';
import { type ChunkInstants, chunkInstants, joinChunks, noInstants, type SourceInstants } from './source-instants.ts';

/** Keeps the chunks apart, as they change one by one, and joins them when somebody asks. */
export const createInstantsBySource = () => {
  const chunksBySource = new Map<string, Map<string, ChunkInstants>>();
  const joined = new Map<string, SourceInstants>();

  return {
    apply: (doc: InstantsDocument) => {
      const { sourceId, chunk } = instantsPlace(doc.id);
      const chunks = chunksBySource.get(sourceId) ?? new Map<string, ChunkInstants>();
      chunksBySource.set(sourceId, chunks.set(chunk, chunkInstants(doc)));
      joined.delete(sourceId);
    },
    remove: (id: string) => {
      const { sourceId, chunk } = instantsPlace(id);
      chunksBySource.get(sourceId)?.delete(chunk);
      joined.delete(sourceId);
    },
    instantsOf: (sourceId: string): SourceInstants => {
      const known = joined.get(sourceId);
      if (known !== undefined) return known;
      const chunks = chunksBySource.get(sourceId);
      if (chunks === undefined) return noInstants;
      const instants = joinChunks(chunks);
      joined.set(sourceId, instants);
      return instants;
    },
  };
};
