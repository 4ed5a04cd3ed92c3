import type { Lease } from '../../ports/leases.ts';
import { type SearchChange, searchChangeBytes, type SearchIndex, searchWriteMax } from '../../ports/search-index.ts';
import { LeaseLost } from '../resilience/held-leases.ts';

export interface ChangeWriter {
  /** Writes what has come together when it is as much as one write holds. */
  readonly add: (change: SearchChange) => Promise<void>;
  /** Writes the rest, with the checkpoint. */
  readonly finish: (position: number | null) => Promise<void>;
}

/** Writes any number of changes in writes of a bounded size. A crash between two of them is simply done again. */
export function createChangeWriter(index: Pick<SearchIndex, 'write'>, lease: Lease): ChangeWriter {
  let changes: SearchChange[] = [];
  let bytes = 0;

  const write = async (position: number | null): Promise<void> => {
    const outcome = await index.write({ changes, position, lease });
    if (outcome === 'stale_lease') throw new LeaseLost('search');
    if (outcome === 'too_large') throw new Error(`${changes.length} changes are too large for one write`);
    changes = [];
    bytes = 0;
  };

  return {
    add: async (change) => {
      const own = searchChangeBytes(change);
      const isFull = changes.length === searchWriteMax.changes || bytes + own > searchWriteMax.bytes;
      if (isFull && changes.length > 0) await write(null);
      changes.push(change);
      bytes += own;
    },
    finish: async (position) => {
      if (position !== null || changes.length > 0) await write(position);
    },
  };
}
