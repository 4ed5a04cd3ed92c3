/**
 * The fewest steps found that still fail: half of them is left out, then a quarter, and so on down to single ones. A failing
 * history of a hundred steps is mostly about three of them.
 */
export async function shrinkSteps(
  steps: readonly number[],
  fails: (steps: readonly number[]) => Promise<boolean>,
  triesMax: number,
): Promise<readonly number[]> {
  let kept = steps;
  let tries = 0;
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < kept.length && tries < triesMax; ) {
      const fewer = kept.filter((_, index) => index < from || index >= from + size);
      tries += 1;
      if (await fails(fewer)) kept = fewer;
      else from += size;
    }
  }
  return kept;
}
