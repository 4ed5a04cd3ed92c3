import type { SearchDocument } from '../../ports/search-index.ts';
import { storedTokens } from '../../search/words/stored-tokens.ts';
import { packVectors, unitOf, unpackVectors } from '../vector-form.ts';
import type { VectorsChange } from './folded-changes.ts';
import { vectorsFieldOf } from './names.ts';

/** Without the vectors that are searched, which stand in a field of their space and are never read back. */
export interface StoredDocument {
  readonly id: string;
  readonly sourceId: string;
  readonly publishedMs: number | null;
  readonly isCoverage: boolean;
  readonly isBare: boolean;
  readonly position: number;
  /** The tokens that the text is found by, with blanks between. */
  readonly title: string;
  readonly names: string;
  readonly body: string;
  readonly space?: string;
  readonly model?: string;
  /** How many dimensions, a colon, and all vectors in Base64; for who asks what a document has. */
  readonly vectors?: string;
  /** Of the texts that vectors were made of, these or earlier ones. */
  readonly textHashes: readonly string[];
}

const joined = (text: string): string => storedTokens(text).join(' ');

export const storedDocument = (doc: SearchDocument, position: number): StoredDocument => ({
  id: doc.id,
  sourceId: doc.sourceId,
  publishedMs: doc.publishedMs,
  isCoverage: doc.isCoverage,
  isBare: doc.isBare,
  position,
  title: joined(doc.texts.title),
  names: joined(doc.texts.names),
  body: joined(doc.texts.body),
  textHashes: doc.textHashes,
});

export const dimensionsOf = ({ id, entries }: VectorsChange): number => {
  const meant = entries.filter(({ vector }) => vector.length > 0);
  const dimensions = meant[0]?.vector.length ?? 0;
  if (meant.some(({ vector }) => vector.length !== dimensions)) {
    throw new Error(`the vectors of ${id} are not all of the same dimensions`);
  }
  return dimensions;
};

/** Of a number of at most 1: as JSON it would be three times as long, for digits that change a cosine by less than 0.0001. */
const rounded = (value: number): number => Math.round(value * 1e5) / 1e5;

/** As it is sent, to be kept or to be looked for. */
export const sentVector = (vector: Float32Array): number[] => Array.from(vector, rounded);

/** A document with these vectors instead of those that it has. */
export const withVectors = (doc: StoredDocument, { space, model, entries }: VectorsChange): object => {
  const vectors = entries.flatMap(({ vector }) => unitOf(vector) ?? []);
  const base = { ...doc, space, model, textHashes: entries.map(({ textHash }) => textHash) };
  if (vectors.length === 0) return { ...base, vectors: '' };
  const searched = vectors.map((vector) => ({ vector: sentVector(vector) }));
  return {
    ...base,
    vectors: `${vectors[0]!.length}:${packVectors(vectors).toString('base64')}`,
    [vectorsFieldOf(space)]: searched,
  };
};

export const vectorsOf = ({ vectors = '' }: Pick<StoredDocument, 'vectors'>): Float32Array[] => {
  const [dimensions = '', packed = ''] = vectors.split(':');
  return packed === '' ? [] : unpackVectors(Buffer.from(packed, 'base64'), Number(dimensions));
};
