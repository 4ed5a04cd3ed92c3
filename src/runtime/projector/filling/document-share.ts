import type { Projection } from '../../../kernel/projection.ts';

/** FNV-1a, stirred at the end: ids that differ in their last character lie far apart. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const hashes = 2 ** 32;

/**
 * A share (0 to 1) of the documents of a read model is those whose groups have the lowest hashes: so the same are chosen in
 * the store and in a fold that has never seen it, and a smaller share is a part of a larger one.
 */
export const isInShare = ({ groupOf = (id) => id }: Pick<Projection, 'groupOf'>, share: number, id: string): boolean =>
  share === 1 || hashOf(groupOf(id)) < share * hashes;

/** What is still too large then is a few groups, which cannot be divided. */
const shareMin = 2 ** -12;

/** Documents of a read model that are in hand, of which fewer can be kept. */
export interface HeldDocuments {
  readonly share: () => number;
  /** What they take in memory, about. */
  readonly bytes: () => number;
  /** Keeps half of the groups. */
  readonly halve: () => void;
}

/** Halves the largest ones until all together fit: small read models stay whole. */
export function fitTogether(all: readonly HeldDocuments[], bytesMax: number): void {
  let bytes = all.reduce((sum, held) => sum + held.bytes(), 0);
  while (bytes > bytesMax) {
    const divisible = all.filter(({ share }) => share() > shareMin);
    if (divisible.length === 0) return;
    const largest = divisible.reduce((a, b) => (b.bytes() > a.bytes() ? b : a));
    bytes -= largest.bytes();
    largest.halve();
    bytes += largest.bytes();
  }
}
