import type { ReleaseItem } from '../domain/release/fields.ts';

export interface ItemBounds {
  readonly itemsMax: number;
  /** Of all contents together. */
  readonly charsMax: number;
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
