import type { ClientSession, Collection, Db } from 'mongodb';
import { inOneAnswer } from '../one-answer.ts';
import type { OpenGeneration } from './generations.ts';
import type { StoredRow } from './rows.ts';

/** Documents of one generation that are about to change. */
export interface RowsToFind {
  readonly generation: Pick<OpenGeneration, 'documents' | 'deleted'>;
  readonly ids: readonly string[];
}

/** What is stored of them. */
export interface FoundRows {
  /** By the ids of those that are there. */
  readonly positions: ReadonlyMap<string, number>;
  /** The ids of those that may be in the list of the deleted. */
  readonly tombstones: ReadonlySet<string>;
}

interface FoundRow {
  readonly _id: string;
  readonly position: number;
  /** Counts through the collections that were asked: documents, then deleted, of each generation. */
  readonly place: number;
}

/**
 * Looks into the collections of all of these in one command, which a transaction does not take. It is the same as within
 * one for whoever holds the leases of these when it is committed: nobody else has written since.
 */
export async function findRows(db: Db, all: readonly RowsToFind[]): Promise<FoundRows[]> {
  const found = all.map(() => ({ positions: new Map<string, number>(), tombstones: new Set<string>() }));
  const asked = all.flatMap(({ generation, ids }, index) => {
    if (ids.length === 0) return [];
    return [generation.documents, generation.deleted].map((collection, which) => ({
      collection,
      pipeline: [
        { $match: { _id: { $in: [...ids] } } },
        { $project: { position: 1, place: { $literal: index * 2 + which } } },
      ],
    }));
  });
  const [first, ...others] = asked;
  if (first === undefined) return found;
  const unions = others.map(({ collection, pipeline }) => ({ $unionWith: { coll: collection, pipeline } }));
  const count = all.reduce((sum, { ids }) => sum + 2 * ids.length, 0);
  const rows = db
    .collection(first.collection)
    .aggregate<FoundRow>([...first.pipeline, ...unions], { batchSize: count + 1 });
  for (const { _id, position, place } of await rows.toArray()) {
    const { positions, tombstones } = found[place >> 1]!;
    if (place % 2 === 0) positions.set(_id, position);
    else tombstones.add(_id);
  }
  return found;
}

/** The same for one generation, within a transaction. All that are not there may have been deleted. */
export async function findRowsWithin(
  documents: Collection<StoredRow>,
  ids: readonly string[],
  session: ClientSession,
): Promise<FoundRows> {
  const filter = { _id: { $in: [...ids] } };
  const rows = documents.find(filter, { session, projection: { position: 1 }, ...inOneAnswer(ids.length) });
  const positions = new Map((await rows.toArray()).map(({ _id, position }) => [_id, position]));
  return { positions, tombstones: new Set(ids.filter((id) => !positions.has(id))) };
}
