import { BSON } from 'mongodb';
import type { Document } from '../../kernel/projection.ts';
import { type DeclaredIndexes, type StoredKeys, storedKeysOf } from './declared-indexes.ts';

/**
 * The document as one text, and its keys beside it: BSON has no place for some JSON (deep nesting, lone surrogates),
 * and so a document comes back exactly as it was put.
 */
export interface StoredDocument {
  readonly _id: string;
  readonly body: string;
  readonly keys: StoredKeys;
}

/** MongoDB takes no document of more than 16 MiB. */
export class DocumentTooLarge extends Error {
  constructor(id: string, owner: string, bytes: number) {
    super(`document ${id} of ${owner} has ${bytes} bytes, and MongoDB takes no more than ${documentBytesMax}`);
    this.name = 'DocumentTooLarge';
  }
}

const documentBytesMax = 16 * 1024 * 1024;
/** For what else is stored with it: position or revision, and expiry. */
const besideBytes = 1024;
const bytesPerCharMax = 3;

export const checkSize = (stored: StoredDocument, owner: string): void => {
  if (stored.body.length * bytesPerCharMax + besideBytes < documentBytesMax / 2) return;
  const bytes = BSON.calculateObjectSize(stored) + besideBytes;
  if (bytes > documentBytesMax) throw new DocumentTooLarge(stored._id, owner, bytes);
};

/** Everything that can be wrong with a document is told here, before anything is written. */
export const storedDocument = (declared: DeclaredIndexes, doc: Document): StoredDocument => {
  if (typeof doc.id !== 'string' || doc.id === '') throw new Error(`a document of ${declared.owner} has no id`);
  const stored = { _id: doc.id, body: JSON.stringify(doc), keys: storedKeysOf(declared, doc) };
  checkSize(stored, declared.owner);
  return stored;
};
