import { candidatesPerList } from './fused-hits.ts';

/** Of each list, however little of it is to be shown. */
const depthMax = 5_000;

/** Pages smaller than a third of this ask for as much: so little costs as much as less. */
const firstDepthMin = 60;

/**
 * In which depths lists are asked for by pages of this size, whichever page it is. What is near is found approximately: a list of
 * 120 need not begin as one of 60, so that what is ranked by one of them must not be told from the other.
 */
export function listDepths(limit: number): readonly number[] {
  const depths: number[] = [];
  for (let depth = Math.max(firstDepthMin, candidatesPerList(0, limit)); depth < depthMax; depth *= 2) {
    depths.push(depth);
  }
  return [...depths, depthMax];
}

/** The first of them that is deep enough, or the deepest. */
export const listDepthFor = (limit: number, candidates: number): number =>
  listDepths(limit).find((depth) => depth >= candidates) ?? depthMax;
