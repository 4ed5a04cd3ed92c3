/** Items in an order that no two share. */
export interface SortedList<Item> {
  readonly add: (item: Item) => void;
  /** The very item that was added. */
  readonly remove: (item: Item) => void;
  /** What is handed out never changes; after a change there is another array. */
  readonly items: () => readonly Item[];
}

/** From this many changes on, sorting what is mostly in order is cheaper than moving the rest of it for each. */
const resortChanges = 64;
/** So that a load of very many is sorted bit by bit, and not when somebody looks. */
const waitingMax = 1024;

/** Changes wait until somebody looks. */
export const createSortedList = <Item>(compare: (a: Item, b: Item) => number): SortedList<Item> => {
  let sorted: readonly Item[] = [];
  const added = new Set<Item>();
  const removed = new Set<Item>();

  const placeIn = (items: readonly Item[], item: Item): number => {
    let low = 0;
    let high = items.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare(items[middle] as Item, item) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  const withChanges = (): Item[] => {
    if (added.size + removed.size >= resortChanges) {
      return [...sorted.filter((item) => !removed.has(item)), ...added].sort(compare);
    }
    const items = [...sorted];
    for (const item of removed) items.splice(placeIn(items, item), 1);
    for (const item of added) items.splice(placeIn(items, item), 0, item);
    return items;
  };

  const settle = () => {
    sorted = withChanges();
    added.clear();
    removed.clear();
  };

  const noted = () => {
    if (added.size + removed.size >= waitingMax) settle();
  };

  return {
    add: (item) => {
      if (!removed.delete(item)) added.add(item);
      noted();
    },
    remove: (item) => {
      if (!added.delete(item)) removed.add(item);
      noted();
    },
    items: () => {
      if (added.size + removed.size > 0) settle();
      return sorted;
    },
  };
};
