import { weightsBytes } from './code-weights.ts';
import { codesAtOnce } from './hamming-module.ts';
import { createMemory, pageBytes, type WasmMemory } from './wasm-module.ts';

/**
 * Codes that are compared by one bound, before it is drawn closer, and with all queries, before the next ones are: so many stay in
 * the cache of the processor, and to fetch them from memory takes longer than to compare them.
 */
export const stepEntries = 8_192;

/** Each entry of an anchor is a query (`queries/related`), or each depth of a list (`queries/search`), and no others are asked together. */
export const queriesAtOnce = 8;

/** Memory is asked for by the megabyte. */
const growBytes = 1024 * 1024;

/** Where things stand in the memory that WebAssembly sees. */
export interface CodeMemory {
  readonly memory: WasmMemory;
  readonly codeBytes: number;
  /** The codes that are compared with, by the place of their query. */
  readonly queryAt: (place: number) => number;
  /** What was found in a step: a number for each code. */
  readonly nearAt: number;
  readonly weightsAt: number;
  readonly codesAt: number;
  /** Makes room for so many codes. */
  readonly reserve: (entries: number) => void;
  readonly write: (at: number, code: Uint8Array) => void;
}

export function createCodeMemory(codeBytes: number): CodeMemory {
  const nearAt = Math.ceil((queriesAtOnce * codeBytes) / pageBytes) * pageBytes;
  const weightsAt = nearAt + (stepEntries + codesAtOnce) * 4;
  const codesAt = weightsAt + weightsBytes(codeBytes);
  const memory = createMemory(Math.ceil(codesAt / pageBytes));
  let bytes = new Uint8Array(memory.buffer);
  return {
    memory,
    codeBytes,
    queryAt: (place) => place * codeBytes,
    nearAt,
    weightsAt,
    codesAt,
    reserve: (entries) => {
      const missing = codesAt + entries * codeBytes - bytes.length;
      if (missing <= 0) return;
      memory.grow(Math.ceil((missing + growBytes) / pageBytes));
      bytes = new Uint8Array(memory.buffer);
    },
    write: (at, code) => bytes.set(code, at),
  };
}
