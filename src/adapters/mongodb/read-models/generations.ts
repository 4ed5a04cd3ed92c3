import { type ClientSession, type Db, type Filter, type IndexDescription, ObjectId } from 'mongodb';
import type { ReadModelDeclaration } from '../../../kernel/projection.ts';
import { StartupError } from '../../../kernel/startup-error.ts';
import type { PassOver, PointerSwitch } from '../../../ports/read-models.ts';
import { createBatchedFinds } from '../../../concurrency/batched-calls.ts';
import { areBuilt, buildIndexes, builtIndexes, describeIndex, makeCollection } from '../build-indexes.ts';
import { fieldsOfIndex } from '../../checked-indexes.ts';
import { type DeclaredIndexes, declareIndexes } from '../declared-indexes.ts';
import { duplicateKey, hasCode, heldUpMsMax, namespaceNotFound, translated } from '../failures.ts';
import { heldFilter, type LeasePlace } from '../leases.ts';
import { inOneAnswer } from '../one-answer.ts';

/** What is kept about a generation; a write of it moves the checkpoint here, under one of its leases. */
export interface StoredGeneration {
  /** `release-feed.g1`. */
  readonly _id: string;
  /**
   * Part of the names of its collections. A generation that is dropped and made again is another one: who still has the
   * old one open finds nothing under its names, and no data of the new one.
   */
  readonly incarnation: string;
  readonly declaration: string;
  /** The only indexes it has while it is filled; null from then on. */
  readonly fillingWith: readonly string[] | null;
  readonly dropping: boolean;
  readonly checkpoint: number;
  /** How many times a pointer was switched to it: a write that a drop at the same time meets. Absent before the first. */
  readonly switches?: number;
  /** By the encoded name of the lease. */
  readonly leases: Readonly<Record<string, { readonly holder: string | null; readonly epoch: number }>>;
}

/** A generation that is there, with all its collections. */
export interface OpenGeneration {
  readonly declaration: ReadModelDeclaration;
  readonly declared: DeclaredIndexes;
  readonly incarnation: string;
  /** Finds the generation as long as it was not dropped. */
  readonly filter: Filter<StoredGeneration>;
  readonly documents: string;
  /** What was deleted and when, so that followers hear of it; a document that comes back leaves this list. */
  readonly deleted: string;
}

export const generationsCollection = 'read.generations';
export const positionIndex = { name: 'position', key: { position: 1, _id: 1 } } as const;

/** More than there are read models, whose generations are asked about together. */
const generationsAtOnceMax = 100;

const checkName = (name: string): void => {
  if (!/^[a-z0-9][a-z0-9-]*$/.test(name)) throw new Error(`${name} cannot be the name of a read model`);
};

const idOf = (name: string, generation: number): string => {
  checkName(name);
  if (!Number.isSafeInteger(generation) || generation < 0) throw new Error(`${generation} is no generation`);
  return `${name}.g${generation}`;
};

const namesOf = ({ _id, incarnation }: Pick<StoredGeneration, '_id' | 'incarnation'>) => ({
  documents: `read.${_id}.${incarnation}.docs`,
  deleted: `read.${_id}.${incarnation}.deleted`,
});

// The same indexes in another order of declaration are the same.
const declarationText = ({ indexes }: ReadModelDeclaration): string =>
  JSON.stringify(Object.entries(indexes).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Where a lease stands in a stored generation. Names of fields take neither dots nor dollars. */
export const leasePrefix = (name: string): string => `leases._${encodeURIComponent(name).replaceAll('.', '%2E')}.`;

/** All when `only` is null. */
const indexesOf = (declared: DeclaredIndexes, only: readonly string[] | null): IndexDescription[] => {
  const indexes = (only ?? Object.keys(declared.indexes)).map((index) => describeIndex(fieldsOfIndex(declared, index)));
  return only === null ? [...indexes, positionIndex] : indexes;
};

export const createReadGenerations = (db: Db) => {
  const stored = db.collection<StoredGeneration>(generationsCollection);
  /** Without the shape of its documents: the leases write fields of their own names. */
  const collection = db.collection(generationsCollection);

  /** A start opens all of them, in each of its threads. */
  const findStored = createBatchedFinds(
    async (ids) => {
      try {
        return await stored.find({ _id: { $in: [...ids] } }, inOneAnswer(ids.length)).toArray();
      } catch (error) {
        throw translated(error);
      }
    },
    ({ _id }) => _id,
    generationsAtOnceMax,
  );

  const findOrMake = async (
    _id: string,
    declaration: ReadModelDeclaration,
    fillingWith: readonly string[] | undefined,
  ): Promise<StoredGeneration> => {
    const found = await findStored(_id);
    if (found !== null) return found;
    const made: StoredGeneration = {
      _id,
      incarnation: new ObjectId().toHexString(),
      declaration: declarationText(declaration),
      fillingWith: fillingWith ?? null,
      dropping: false,
      checkpoint: 0,
      leases: {},
    };
    try {
      await stored.insertOne(made);
      return made;
    } catch (error) {
      if (!hasCode(error, duplicateKey)) throw error;
      return findOrMake(_id, declaration, fillingWith);
    }
  };

  const dropCollection = async (name: string): Promise<void> => {
    try {
      await db.dropCollection(name);
    } catch (error) {
      if (!hasCode(error, namespaceNotFound)) throw error;
    }
  };

  const finishDrop = async (generation: Pick<StoredGeneration, '_id' | 'incarnation'>): Promise<void> => {
    for (const name of Object.values(namesOf(generation))) await dropCollection(name);
    await stored.deleteOne({ _id: generation._id, incarnation: generation.incarnation });
  };

  /** Makes what is missing of the collection; answers whether nothing was. Who only looks waits for no majority. */
  const ensureCollection = async (
    name: string,
    indexes: readonly IndexDescription[],
    owner: string,
  ): Promise<boolean> => {
    if (areBuilt(await builtIndexes(db, name), indexes)) return true;
    await makeCollection(db, name);
    await buildIndexes(db.collection(name), indexes, owner);
    return false;
  };

  /** Many are asked about at once, and a question to the server costs the same for one as for all of them. */
  const findCheckpoint = createBatchedFinds(
    async (ids) => {
      try {
        const options = { projection: { incarnation: 1, checkpoint: 1 }, ...inOneAnswer(ids.length) };
        return await stored.find({ _id: { $in: [...ids] }, dropping: false }, options).toArray();
      } catch (error) {
        throw translated(error); // when the server is away, nobody shall ask it again for each one
      }
    },
    ({ _id }) => _id,
    generationsAtOnceMax,
  );

  /** Null when it was dropped. */
  const checkpointOf = async ({ declaration, incarnation }: OpenGeneration): Promise<number | null> => {
    const found = await findCheckpoint(idOf(declaration.name, declaration.generation));
    return found?.incarnation === incarnation ? found.checkpoint : null;
  };

  const isThere = async (generation: OpenGeneration): Promise<boolean> => (await checkpointOf(generation)) !== null;

  const open = async (
    declaration: ReadModelDeclaration,
    fillingWith: readonly string[] | undefined,
  ): Promise<OpenGeneration> => {
    const _id = idOf(declaration.name, declaration.generation);
    const owner = `read model ${declaration.name} generation ${declaration.generation}`;
    const declared = declareIndexes(owner, declaration.indexes);
    for (const index of fillingWith ?? []) fieldsOfIndex(declared, index);
    for (;;) {
      const found = await findOrMake(_id, declaration, fillingWith);
      const { incarnation } = found;
      if (found.dropping) {
        await finishDrop(found);
        continue;
      }
      if (found.declaration !== declarationText(declaration)) {
        throw new StartupError(`${owner} was built with other indexes than it now declares: raise its generation.`);
      }
      const filter = { _id, incarnation, dropping: false };
      const opened = { declaration, declared, incarnation, filter, ...namesOf(found) };
      const hadDocuments = await ensureCollection(opened.documents, indexesOf(declared, found.fillingWith), owner);
      const hadDeleted = await ensureCollection(opened.deleted, [positionIndex], owner);
      if ((hadDocuments && hadDeleted) || (await isThere(opened))) return opened;
      await finishDrop(found); // it was dropped meanwhile, perhaps before the last of these was made
    }
  };

  return {
    open,
    isThere,
    checkpointOf,
    completeIndexes: async (generation: OpenGeneration, mayBegin?: () => Promise<void>): Promise<void> => {
      const { documents, declared } = generation;
      for (const index of indexesOf(declared, null)) {
        await mayBegin?.();
        await buildIndexes(db.collection(documents), [index], declared.owner);
      }
      await stored.updateOne(generation.filter, { $set: { fillingWith: null } });
    },
    numbersOf: async (name: string): Promise<number[]> => {
      checkName(name);
      const found = await stored
        .find({ _id: { $gte: `${name}.g`, $lt: `${name}.h` } }, { projection: { _id: 1 } })
        .toArray();
      return found.map(({ _id }) => Number(_id.slice(name.length + 2))).sort((a, b) => a - b);
    },
    passOver: async (moves: readonly PassOver[]): Promise<number> => {
      const updates = moves.map(({ name, generation, from, position }) => ({
        updateOne: {
          filter: { _id: idOf(name, generation), dropping: false, checkpoint: from },
          update: { $max: { checkpoint: position } },
        },
      }));
      return (await stored.bulkWrite(updates, { ordered: false, maxTimeMS: heldUpMsMax })).matchedCount;
    },
    /** False when it is gone. Written and not only read: of this and a drop at the same time one meets the other. */
    noteSwitch: async ({ name, generation, lease }: PointerSwitch, session: ClientSession): Promise<boolean> => {
      const there: Filter<StoredGeneration> = { _id: idOf(name, generation), dropping: false };
      const filter = there as LeasePlace['filter'];
      const found = lease === undefined ? filter : heldFilter({ filter, prefix: leasePrefix(lease.name) }, lease);
      return (await collection.updateOne(found, { $inc: { switches: 1 } }, { session })).matchedCount === 1;
    },
    /**
     * Nobody writes it from then on, and the next one finishes a drop that was interrupted. With a time, only one whose
     * leases have run out that long ago: who takes one is before that, or finds it gone. Answers what it was before.
     */
    markDropped: async (
      { name, generation, idleMs }: { readonly name: string; readonly generation: number; readonly idleMs?: number },
      session: ClientSession,
    ): Promise<StoredGeneration | null> => {
      const lastExpiry = { $max: { $map: { input: { $objectToArray: '$leases' }, in: '$$this.v.expiresAt' } } };
      const isAbandoned = [{ $ne: ['$leases', {}] }, { $lte: [lastExpiry, { $subtract: ['$$NOW', idleMs] }] }];
      const filter = { _id: idOf(name, generation), ...(idleMs !== undefined && { $expr: { $and: isAbandoned } }) };
      return stored.findOneAndUpdate(filter, { $set: { dropping: true } }, { session });
    },
    finishDrop,
    collection,
  };
};

export type ReadGenerations = ReturnType<typeof createReadGenerations>;
