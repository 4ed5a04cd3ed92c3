import type { ReleaseItem } from '../domain/release/fields.ts';
import type { LeftOutEntry } from './source-fetcher.ts';

export interface ItemBounds {
  readonly itemsMax: number;
  /** Of all contents together. */
  readonly charsMax: number;
}

/** Says how many stayed behind for the bounds; null is more than were counted. Nothing where it is none. */
export function olderLeftOut(count: number | null): LeftOutEntry[] {
  if (count === 0) return [];
  const entry = count === null ? 'older releases' : `${count} more`;
  return [{ entry, reason: 'They are older, and more than one fetch takes in.' }];
}

/** The first ones, as many as the bounds let in; at least one. */
export function firstItems(items: readonly ReleaseItem[], { itemsMax, charsMax }: ItemBounds): ReleaseItem[] {
  let chars = 0;
  const tooMany = items.findIndex(({ content = '' }, index) => {
    chars += content.length;
    return index === itemsMax || (chars > charsMax && index > 0);
  });
  return tooMany === -1 ? [...items] : items.slice(0, tooMany);
}
