import type { ReleaseItem } from '../domain/release/fields.ts';

const batchItemsMax = 500;
/** A batch is decided and stored as one: it must not take a gigabyte. */
const batchCharsMax = 4_000_000;

const charsOf = ({ content = '', ...rest }: ReleaseItem): number => content.length + JSON.stringify(rest).length;

/** Items that are to go in together. */
export interface OpenBatch {
  readonly items: readonly ReleaseItem[];
  readonly chars: () => number;
  /** False when it is full; then the item is not in it. */
  readonly add: (item: ReleaseItem) => boolean;
}

export function openBatch(): OpenBatch {
  const items: ReleaseItem[] = [];
  let chars = 0;
  return {
    items,
    chars: () => chars,
    add: (item) => {
      const more = charsOf(item);
      if (items.length === batchItemsMax || (items.length > 0 && chars + more > batchCharsMax)) return false;
      items.push(item);
      chars += more;
      return true;
    },
  };
}

/** In their order, each batch bounded by count and by size. */
export function itemBatches(items: Iterable<ReleaseItem>): ReleaseItem[][] {
  const batches: OpenBatch[] = [];
  for (const item of items) {
    if (batches.at(-1)?.add(item)) continue;
    const next = openBatch();
    next.add(item);
    batches.push(next);
  }
  return batches.map((batch) => [...batch.items]);
}
