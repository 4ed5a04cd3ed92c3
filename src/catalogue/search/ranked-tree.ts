import { createBestFirstQueue } from './best-first-queue.ts';

/** What a tree knows of its entries, which are numbers that stand for something. */
export interface EntryOrder {
  /** By key; no two are the same. */
  readonly byKey: (a: number, b: number) => number;
  /** Which one is wanted first, whatever its key is. */
  readonly byRank: (a: number, b: number) => number;
}

/** Of some keys that follow each other: below 0 where the key of an entry is before them, 0 among them, above 0 behind. */
export type KeyRange = (entry: number) => number;

export interface RankedTree {
  readonly add: (entry: number) => void;
  /** One that was added, as it was then. */
  readonly remove: (entry: number) => void;
  /** Those in the range, by rank. Whoever takes the first of them pays for these, however many there are. */
  readonly ranked: (range: KeyRange) => Iterable<number>;
}

interface Leaf {
  readonly below: null;
  /** By key. */
  entries: readonly number[];
}

/** Of each node below it knows the first entry by key and the first by rank, so that it need not look there to choose. */
interface Branch {
  readonly below: Node[];
  readonly firsts: number[];
  readonly bests: number[];
}

type Node = Leaf | Branch;

/** Of a node: fewer would take more memory for each entry, more take longer to look through. */
const widthMax = 32;
const half = widthMax / 2;

/** How many of the first there are of which this is so. */
const countWhile = (list: readonly number[], isSo: (entry: number) => boolean): number => {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isSo(list[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
};

const firstOf = (node: Node): number => (node.below === null ? node.entries[0]! : node.firsts[0]!);

/**
 * Entries by key, of which any range is also found by rank: only those nodes are opened that have one of the wanted. A node
 * that has become empty goes; others stay as narrow as they are. What comes before anybody looks is only kept: to build a
 * tree from all of it takes a tenth of the time.
 */
export const createRankedTree = ({ byKey, byRank }: EntryOrder): RankedTree => {
  let root: Node = { below: null, entries: [] };
  /** Added, and not in the tree yet, which is empty then. */
  let waiting = new Set<number>();

  const better = (a: number, b: number): number => (byRank(b, a) < 0 ? b : a);
  const bestOf = (node: Node): number => (node.below === null ? node.entries : node.bests).reduce(better);
  const branchOf = (below: Node[]): Branch => ({ below, firsts: below.map(firstOf), bests: below.map(bestOf) });

  /** The one that has the entry or would have it. */
  const nodeFor = ({ firsts }: Branch, entry: number): number =>
    Math.max(0, countWhile(firsts, (first) => byKey(first, entry) <= 0) - 1);

  const addToLeaf = (leaf: Leaf, entry: number): Leaf | null => {
    const entries = leaf.entries.toSpliced(
      countWhile(leaf.entries, (each) => byKey(each, entry) < 0),
      0,
      entry,
    );
    leaf.entries = entries.length > widthMax ? entries.slice(0, half) : entries;
    return entries.length > widthMax ? { below: null, entries: entries.slice(half) } : null;
  };

  /** Answers what the node had to give away because there was too much in it. */
  const addTo = (node: Node, entry: number): Node | null => {
    if (node.below === null) return addToLeaf(node, entry);
    const { below, firsts, bests } = node;
    const at = nodeFor(node, entry);
    const given = addTo(below[at]!, entry);
    firsts[at] = firstOf(below[at]!);
    if (given === null) {
      bests[at] = better(bests[at]!, entry);
      return null;
    }
    bests[at] = bestOf(below[at]!);
    below.splice(at + 1, 0, given);
    firsts.splice(at + 1, 0, firstOf(given));
    bests.splice(at + 1, 0, bestOf(given));
    if (below.length <= widthMax) return null;
    return { below: below.splice(half), firsts: firsts.splice(half), bests: bests.splice(half) };
  };

  /** Answers whether anything is left in it. */
  const removeFrom = (node: Node, entry: number): boolean => {
    if (node.below === null) {
      const at = countWhile(node.entries, (each) => byKey(each, entry) < 0);
      node.entries = node.entries.toSpliced(at, 1);
      return node.entries.length > 0;
    }
    const { below, firsts, bests } = node;
    const at = nodeFor(node, entry);
    if (removeFrom(below[at]!, entry)) {
      firsts[at] = firstOf(below[at]!);
      if (bests[at] === entry) bests[at] = bestOf(below[at]!);
      return true;
    }
    for (const list of [below, firsts, bests]) list.splice(at, 1);
    return below.length > 0;
  };

  /** Puts what is wholly in the range as it is, and looks into the two nodes where the range begins and ends. */
  const putWithin = (node: Node, range: KeyRange, put: (best: number, node: Node | null) => void): void => {
    if (node.below === null) {
      for (const entry of node.entries) if (range(entry) === 0) put(entry, null);
      return;
    }
    const { below, firsts, bests } = node;
    const from = Math.max(0, countWhile(firsts, (first) => range(first) < 0) - 1);
    const to = countWhile(firsts, (first) => range(first) <= 0) - 1;
    for (let at = from; at <= to; at += 1) {
      if (at > from && at < to) put(bests[at]!, below[at]!);
      else putWithin(below[at]!, range, put);
    }
  };

  /** Nodes from entries in the order of their keys, with room for some more. */
  const buildFrom = (entries: readonly number[]): Node => {
    const width = widthMax * 0.75;
    const groups = <Each>(list: readonly Each[]): Each[][] =>
      Array.from({ length: Math.ceil(list.length / width) }, (_, at) => list.slice(at * width, (at + 1) * width));
    let nodes: Node[] = groups(entries).map((some) => ({ below: null, entries: some }));
    while (nodes.length > 1) nodes = groups(nodes).map(branchOf);
    return nodes[0] ?? { below: null, entries: [] };
  };

  const build = (): void => {
    if (waiting.size === 0) return;
    root = buildFrom([...waiting].sort(byKey));
    waiting = new Set();
  };
  const isEmpty = (): boolean => root.below === null && root.entries.length === 0;

  return {
    add: (entry) => {
      if (isEmpty()) {
        waiting.add(entry);
        return;
      }
      const given = addTo(root, entry);
      if (given !== null) root = branchOf([root, given]);
    },
    remove: (entry) => {
      if (waiting.delete(entry)) return;
      if (!removeFrom(root, entry)) root = { below: null, entries: [] };
      while (root.below?.length === 1) root = root.below[0]!;
    },
    ranked: function* (range) {
      build();
      const { put, take } = createBestFirstQueue<Node | null>(byRank);
      putWithin(root, range, put);
      for (let next = take(); next !== undefined; next = take()) {
        const { best, thing: node } = next;
        if (node === null) yield best;
        else if (node.below === null) for (const entry of node.entries) put(entry, null);
        else node.below.forEach((each, at) => put(node.bests[at]!, each));
      }
    },
  };
};
