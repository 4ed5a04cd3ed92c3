import type { Projection } from '../../../kernel/projection.ts';

/**
 * Some of the documents of a read model, chosen by a hash of their groups: those below a bound, and of these every one that
 * leaves the remainder. So the same documents are chosen in the store and in a fold that has never seen it.
 */
export interface DocumentPart {
  /** 0 to 1: how much of all groups is looked at; the rest is in no part. */
  readonly share: number;
  readonly parts: number;
  readonly remainder: number;
}

/** FNV-1a, stirred at the end: ids that differ in their last character lie far apart. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const hashes = 2 ** 32;

export const isInPart = (
  { groupOf = (id) => id }: Pick<Projection, 'groupOf'>,
  { share, parts, remainder }: DocumentPart,
  id: string,
): boolean => {
  if (share === 1 && parts === 1) return true;
  const hash = hashOf(groupOf(id));
  return hash < share * hashes && hash % parts === remainder;
};

/** The two halves of a part. */
export const splitPart = ({ share, parts, remainder }: DocumentPart): DocumentPart[] => [
  { share, parts: parts * 2, remainder },
  { share, parts: parts * 2, remainder: remainder + parts },
];
