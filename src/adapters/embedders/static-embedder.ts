import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createShortTurns } from '../../concurrency/short-turns.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Embedder, Meaning } from '../../ports/embedder.ts';
import { embeddedPart } from './embedded-part.ts';
import { miniLmSpace, modelFile } from './model-file.ts';
import { createWordPieces, type WordPieces } from './wordpiece.ts';

interface Section {
  readonly offset: number;
  readonly bytes: number;
}

/** The JSON at the front of `model.bin`. */
interface Header {
  readonly model: string;
  readonly rows: number;
  readonly dims: number;
  readonly vocab_sha256: string;
  readonly sections: { readonly scales: Section; readonly matrix: Section };
}

const headerStart = 16;
/** As many as a text of the greatest length can have. */
const idsMax = 8_000;

function readHeader(file: Buffer): Header {
  if (file.toString('latin1', 0, 4) !== 'SEMB' || file.readUInt32LE(4) !== 1) {
    throw new Error('static/model.bin is not in the form that this version reads.');
  }
  return JSON.parse(file.toString('utf8', headerStart, headerStart + file.readUInt32LE(8))) as Header;
}

/** One vector for each piece of a word; a text means their sum. */
interface StaticModel extends Pick<Header, 'rows' | 'dims'> {
  readonly name: string;
  readonly pieces: WordPieces;
  readonly scales: Float32Array;
  readonly matrix: Int8Array;
}

function loadModel(): StaticModel {
  const file = readFileSync(modelFile('static/model.bin'));
  const vocabulary = readFileSync(modelFile('static/vocab.txt'));
  const { model, rows, dims, sections, vocab_sha256: vocabularyHash } = readHeader(file);
  if (createHash('sha256').update(vocabulary).digest('hex') !== vocabularyHash) {
    throw new Error('static/vocab.txt does not belong to static/model.bin.');
  }
  const { scales, matrix } = sections;
  const bytes = file.buffer as ArrayBuffer;
  const scalesStart = file.byteOffset + scales.offset;
  return {
    name: model,
    rows,
    dims,
    pieces: createWordPieces(vocabulary.toString('utf8')),
    scales: new Float32Array(bytes.slice(scalesStart, scalesStart + scales.bytes)), // copied: it may lie anywhere in the file
    matrix: new Int8Array(bytes, file.byteOffset + matrix.offset, matrix.bytes),
  };
}

function meaningOf({ pieces, dims, scales, matrix }: StaticModel, text: string): Meaning {
  const sum = new Float32Array(dims);
  for (const id of pieces.idsOf(embeddedPart(text), idsMax)) {
    const scale = scales[id]!; // 0 of the unknown piece
    const row = id * dims;
    for (let axis = 0; axis < dims; axis += 1) sum[axis]! += scale * matrix[row + axis]!;
  }
  let squares = 0;
  for (const part of sum) squares += part * part;
  if (squares === 0) return null;
  const length = Math.sqrt(squares);
  for (let axis = 0; axis < dims; axis += 1) sum[axis]! /= length;
  return sum;
}

/**
 * Embeds at once, in plain JavaScript: worse than MiniLM, whose axes its vectors have, and many times as fast. It lets
 * others have their turn between texts.
 */
export function openStaticEmbedder({ clock }: { readonly clock: Clock }): Embedder {
  const model = loadModel();
  return {
    model: model.name,
    space: miniLmSpace,
    dimensions: model.dims,
    embed: async (texts, { signal } = {}) => {
      const turn = createShortTurns(clock);
      const meanings: Meaning[] = [];
      for (const text of texts) {
        signal?.throwIfAborted();
        meanings.push(meaningOf(model, text));
        await turn();
      }
      return meanings;
    },
    close: async () => {},
  };
}
