import { createMinHeap, type MinHeap, pop, push } from './min-heap.ts';
import { rankOf } from './vocabulary.ts';

/** The parts of a piece as a linked list; a part is named by the position of its first byte. */
interface Parts {
  readonly next: Int32Array;
  readonly previous: Int32Array;
  /** Of the token that the part and its next one make together; -1 when they make none. */
  readonly pairRank: Int32Array;
  /** Candidates: rank * positionLimit + position. One whose pair has changed since is passed over. */
  readonly candidates: MinHeap;
}

/** Above any position, and small enough that a rank times it is a safe integer. */
const positionLimit = 2 ** 32;
/** Pieces up to this size share one allocation. */
const sharedBytes = 4096;

const createParts = (bytes: number): Parts => ({
  next: new Int32Array(bytes),
  previous: new Int32Array(bytes),
  pairRank: new Int32Array(bytes),
  candidates: createMinHeap(2 * bytes), // a merge takes one out and puts at most two in
});

const sharedParts = createParts(sharedBytes);

/** Looks up the pair that starts with this part, and makes it a candidate when it is a token. */
function rankPair({ next, pairRank, candidates }: Parts, bytes: Uint8Array, length: number, part: number): void {
  const second = next[part]!;
  const rank = second < length ? rankOf(bytes, part, next[second]!) : -1;
  pairRank[part] = rank;
  if (rank !== -1) push(candidates, rank * positionLimit + part);
}

/**
 * How many tokens byte-pair merging makes of the first `length` bytes: again and again the adjacent pair of the lowest
 * rank becomes one part, the leftmost first. The heap keeps this at n log n, whatever the text: a scan for the lowest
 * rank after each merge takes minutes for a long run of one character.
 */
export function countMerged(bytes: Uint8Array, length: number): number {
  const parts = length <= sharedBytes ? sharedParts : createParts(length);
  const { next, previous, pairRank, candidates } = parts;
  candidates.size = 0;
  for (let at = 0; at < length; at += 1) {
    next[at] = at + 1;
    previous[at] = at - 1;
  }
  for (let at = 0; at < length; at += 1) rankPair(parts, bytes, length, at);

  let count = length;
  while (candidates.size > 0) {
    const candidate = pop(candidates);
    const rank = Math.floor(candidate / positionLimit);
    const part = candidate - rank * positionLimit;
    if (pairRank[part] !== rank) continue;

    const absorbed = next[part]!;
    const following = next[absorbed]!;
    next[part] = following;
    if (following < length) previous[following] = part;
    pairRank[absorbed] = -1;
    count -= 1;
    rankPair(parts, bytes, length, part);
    if (part > 0) rankPair(parts, bytes, length, previous[part]!);
  }
  return count;
}
