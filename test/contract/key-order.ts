import type { KeyValue } from '../../src/kernel/projection.ts';

const kind = (value: KeyValue): number => (value === null ? 0 : typeof value === 'number' ? 1 : 2);

const compareKeys = (a: KeyValue, b: KeyValue): number => {
  if (kind(a) !== kind(b)) return kind(a) - kind(b);
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return Number(a) - Number(b);
};

/** The order that every index promises, computed naively. */
export const inIndexOrder = <Part extends string, Row extends Readonly<Record<Part, KeyValue>>>(
  rows: readonly Row[],
  parts: readonly Part[],
  direction: 'ascending' | 'descending',
): Row[] => {
  const sign = direction === 'ascending' ? 1 : -1;
  return [...rows].sort((a, b) => {
    for (const part of parts) {
      const order = compareKeys(a[part], b[part]);
      if (order !== 0) return sign * order;
    }
    return 0;
  });
};
