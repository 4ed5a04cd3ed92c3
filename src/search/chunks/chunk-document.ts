import type { FileChunk } from './file-chunks.ts';

/** Which piece of which file a document of the index is. */
export interface ChunkPlace extends FileChunk {
  /** As the files are called among the read models, which know their source and path. */
  readonly fileId: string;
}

/** Where a chunk is, is all that names it: whoever has the id finds its text. */
export const chunkDocumentId = ({ fileId, offset, length }: ChunkPlace): string => `${fileId}:${offset}:${length}`;

const idPattern = /^(.+):(\d{1,15}):(\d{1,15})$/s;

/** Null for an id that names no chunk. */
export const parseChunkDocumentId = (id: string): ChunkPlace | null => {
  const [, fileId, offset, length] = idPattern.exec(id) ?? [];
  return fileId === undefined ? null : { fileId, offset: Number(offset), length: Number(length) };
};
