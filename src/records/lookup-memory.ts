import { createHash } from 'node:crypto';
import type { Document } from '../kernel/projection.ts';
import type { Clock } from '../ports/clock.ts';
import type { OperationalStore } from '../ports/operational-store.ts';

/** What a third party said about a coordinate that nothing was made of. */
export type FruitlessLookup = 'empty' | 'not_found';

interface RememberedLookup extends Document {
  /** In lower case. */
  readonly coordinate: string;
  readonly status: FruitlessLookup;
}

/** Keeps a third party from being asked again and again for what it does not have. */
export interface LookupMemory {
  readonly recall: (coordinate: string) => Promise<FruitlessLookup | null>;
  readonly remember: (coordinate: string, status: FruitlessLookup) => Promise<void>;
}

const hourMs = 3_600_000;
/** Contract 8. */
const keptMs: Readonly<Record<FruitlessLookup, number>> = { empty: 6 * hourMs, not_found: 24 * hourMs };

export const lookupMemoryDeclaration = { name: 'lookup-memory', indexes: {} };

/**
 * Coordinates share 65,536 places, so that whoever makes names up fills no disk. Of two with one place the later one is
 * remembered, and the other is asked for once more.
 */
const placeOf = (coordinate: string): string =>
  createHash('sha256').update(coordinate).digest().subarray(0, 2).toString('hex');

export async function openLookupMemory(ops: OperationalStore, clock: Pick<Clock, 'nowMs'>): Promise<LookupMemory> {
  const { name: collection } = lookupMemoryDeclaration;
  const places = await ops.collection<RememberedLookup>(lookupMemoryDeclaration);
  return {
    recall: async (coordinate) => {
      const found = await places.get(placeOf(coordinate));
      return found?.doc.coordinate === coordinate ? found.doc.status : null;
    },
    remember: async (coordinate, status) => {
      const doc: RememberedLookup = { id: placeOf(coordinate), coordinate, status };
      await ops.transact([{ kind: 'put', collection, doc, expiresAtMs: clock.nowMs() + keptMs[status] }]);
    },
  };
}
