/** Grade by id of what was judged; whatever is not in it was not asked for. */
export type Grades = ReadonlyMap<string, number>;

const gainOf = (grade: number): number => 2 ** grade - 1;

/** What stands lower is seen by fewer. */
const discountAt = (index: number): number => Math.log2(index + 2);

/** A release that is listed twice is only read once. */
const seenWithin = (ranked: readonly string[], depth: number): string[] => [...new Set(ranked)].slice(0, depth);

const discountedGain = (grades: readonly number[]): number =>
  grades.reduce((sum, grade, index) => sum + gainOf(grade) / discountAt(index), 0);

/** How near the order of the first `depth` is to the best that there is: 1 is the best, 0 holds nothing asked for. */
export function ndcg(ranked: readonly string[], grades: Grades, depth = 10): number {
  const best = [...grades.values()].sort((a, b) => b - a).slice(0, depth);
  if (best.length === 0) throw new RangeError('nothing is judged');
  return discountedGain(seenWithin(ranked, depth).map((id) => grades.get(id) ?? 0)) / discountedGain(best);
}

/** Of what was judged, the share within the first `depth`. */
export function recall(ranked: readonly string[], grades: Grades, depth = 20): number {
  if (grades.size === 0) throw new RangeError('nothing is judged');
  return seenWithin(ranked, depth).filter((id) => grades.has(id)).length / grades.size;
}

/** One divided by the place of the first that was judged; its mean over queries is the MRR. */
export function reciprocalRank(ranked: readonly string[], grades: Grades): number {
  const index = [...new Set(ranked)].findIndex((id) => grades.has(id));
  return index === -1 ? 0 : 1 / (index + 1);
}
