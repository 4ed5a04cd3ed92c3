/** Items in an order that no two share. */
export interface SortedList<Item> {
  readonly add: (item: Item) => void;
  /** One that was added, as it was then. */
  readonly remove: (item: Item) => void;
  /** What is handed out never changes; after a change there is another array. */
  readonly items: () => readonly Item[];
  /** The same in pieces of bounded length, for whoever keeps something about each or all: neither these nor their list change. */
  readonly pieces: () => readonly (readonly Item[])[];
}

/** What moves when an item comes or goes; the pieces of very many items are still few. */
const pieceItemsMax = 512;

/** Kept in pieces, so that a change costs the same however many there are; they are put together when somebody looks. */
export const createSortedList = <Item>(compare: (a: Item, b: Item) => number): SortedList<Item> => {
  const pieces: (readonly Item[])[] = [];
  let all: readonly Item[] | undefined;
  let allPieces: readonly (readonly Item[])[] | undefined;

  const forget = () => {
    all = undefined;
    allPieces = undefined;
  };

  /** How many of the first are before the item. */
  const countBefore = <Each>(list: readonly Each[], item: Item, itemOf: (each: Each) => Item): number => {
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare(itemOf(list[middle]!), item) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  /** The first piece that does not end before the item, or the last one. */
  const placeOf = (item: Item) => {
    const number = Math.min(
      countBefore(pieces, item, (piece) => piece.at(-1)!),
      pieces.length - 1,
    );
    const piece = pieces[number]!;
    return { number, piece, at: countBefore(piece, item, (each) => each) };
  };

  return {
    add: (item) => {
      forget();
      if (pieces.length === 0) {
        pieces.push([item]);
        return;
      }
      const { number, piece, at } = placeOf(item);
      const grown = piece.toSpliced(at, 0, item);
      const half = grown.length >>> 1;
      if (grown.length <= pieceItemsMax) pieces[number] = grown;
      else pieces.splice(number, 1, grown.slice(0, half), grown.slice(half));
    },
    remove: (item) => {
      forget();
      const { number, piece, at } = placeOf(item);
      if (piece.length === 1) pieces.splice(number, 1);
      else pieces[number] = piece.toSpliced(at, 1);
    },
    items: () => {
      all ??= ([] as Item[]).concat(...pieces); // forty times as fast as `flat`
      return all;
    },
    pieces: () => {
      allPieces ??= pieces.slice();
      return allPieces;
    },
  };
};
