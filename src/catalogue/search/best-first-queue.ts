/** Things with a number each, of which always the one comes out whose number is the best. */
export interface BestFirstQueue<Thing> {
  readonly put: (best: number, thing: Thing) => void;
  readonly take: () => { readonly best: number; readonly thing: Thing } | undefined;
}

/** A heap. The numbers lie beside each other, as they are compared many times before a thing is looked at. */
export const createBestFirstQueue = <Thing>(compare: (a: number, b: number) => number): BestFirstQueue<Thing> => {
  const bests: number[] = [];
  const things: Thing[] = [];

  const set = (at: number, best: number, thing: Thing) => {
    bests[at] = best;
    things[at] = thing;
  };

  const moveUp = (best: number, thing: Thing, from: number) => {
    let at = from;
    while (at > 0) {
      const above = (at - 1) >>> 1;
      if (compare(best, bests[above]!) >= 0) break;
      set(at, bests[above]!, things[above]!);
      at = above;
    }
    set(at, best, thing);
  };

  const moveDown = (best: number, thing: Thing) => {
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= bests.length) break;
      const isRight = left + 1 < bests.length && compare(bests[left + 1]!, bests[left]!) < 0;
      const below = isRight ? left + 1 : left;
      if (compare(bests[below]!, best) >= 0) break;
      set(at, bests[below]!, things[below]!);
      at = below;
    }
    set(at, best, thing);
  };

  return {
    put: (best, thing) => moveUp(best, thing, bests.length),
    take: () => {
      if (bests.length === 0) return undefined;
      const first = { best: bests[0]!, thing: things[0]! };
      const [best, thing] = [bests.pop()!, things.pop()!];
      if (bests.length > 0) moveDown(best, thing);
      return first;
    },
  };
};
