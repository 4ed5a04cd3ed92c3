import { parseVersion } from '../../../src/kernel/version/versions.ts';

const compareIdentifiers = (a: string, b: string): number => {
  const [aIsNumber, bIsNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (aIsNumber && bIsNumber) return BigInt(a) < BigInt(b) ? -1 : BigInt(a) > BigInt(b) ? 1 : 0;
  if (aIsNumber !== bIsNumber) return aIsNumber ? -1 : 1;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
};

/** As contract 9.3 says it, part by part; null where one of them is not parseable. */
export const compareVersions = (a: string, b: string): number | null => {
  const [first, second] = [parseVersion(a), parseVersion(b)];
  if (first === null || second === null) return null;
  for (const at of [0, 1, 2, 3] as const) {
    const order = compareIdentifiers(first.core[at], second.core[at]);
    if (order !== 0) return order;
  }
  if (first.post !== second.post) {
    if (first.post === null || second.post === null) return first.post === null ? -1 : 1;
    return compareIdentifiers(first.post, second.post);
  }
  const [pre, otherPre] = [first.pre, second.pre];
  if (pre.length === 0 || otherPre.length === 0) return otherPre.length === pre.length ? 0 : pre.length === 0 ? 1 : -1;
  for (let at = 0; at < Math.min(pre.length, otherPre.length); at += 1) {
    const order = compareIdentifiers(pre[at]!, otherPre[at]!);
    if (order !== 0) return order;
  }
  return Math.sign(pre.length - otherPre.length);
};
