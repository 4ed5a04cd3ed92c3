import type { ReleaseItem } from '../domain/release/fields.ts';

const itemsMax = 500;
/** A batch is decided and stored as one: it must not take a gigabyte. */
const charsMax = 4_000_000;

const charsOf = ({ content = '', ...rest }: ReleaseItem): number => content.length + JSON.stringify(rest).length;

/** In their order, each batch bounded by count and by size. */
export function itemBatches(items: readonly ReleaseItem[]): ReleaseItem[][] {
  const batches: ReleaseItem[][] = [];
  let chars = 0;
  for (const item of items) {
    const open = batches.at(-1);
    const size = charsOf(item);
    if (open === undefined || open.length === itemsMax || chars + size > charsMax) {
      batches.push([item]);
      chars = size;
    } else {
      open.push(item);
      chars += size;
    }
  }
  return batches;
}
