import type { Collection, CreateIndexesOptions, Db, IndexDescription } from 'mongodb';
import type { IndexFields } from '../../kernel/projection.ts';
import { StartupError } from '../../kernel/startup-error.ts';
import { indexName, indexPaths } from './declared-indexes.ts';
import { hasCode, namespaceExists, namespaceNotFound } from './failures.ts';

const indexOptionsConflict = 85;
const indexKeysConflict = 86;

/** Building over many documents takes as long as it takes; that the server is there is watched beside it. */
const unbounded = { writeConcern: { w: 'majority' }, socketTimeoutMS: 0 } as CreateIndexesOptions;

export const describeIndex = (fields: IndexFields): IndexDescription => ({
  name: indexName(fields),
  key: new Map(indexPaths(fields).map((path) => [path, 1])),
});

/** Does nothing for those that are there; who asks at the same time waits for the same build. */
export const buildIndexes = async (
  collection: Pick<Collection, 'collectionName' | 'createIndexes'>,
  indexes: readonly IndexDescription[],
  owner: string,
): Promise<void> => {
  if (indexes.length === 0) return;
  try {
    await collection.createIndexes([...indexes], unbounded);
  } catch (error) {
    if (!hasCode(error, indexOptionsConflict, indexKeysConflict)) throw error;
    throw new StartupError(
      `The collection ${collection.collectionName} of ${owner} has an index of the same name or fields as ` +
        `${indexes.map(({ name }) => name).join(' or ')}, but defined otherwise: drop that index.`,
      { cause: error },
    );
  }
};

/** What the server tells of an index that is built: all that was said of it, and the form in which it lies. */
type BuiltIndex = IndexDescription & { readonly name: string; readonly v?: number };

/** No collection has more. */
const indexesMax = 64;

/** Those of the collection that are built; null where there is no such collection. */
export const builtIndexes = async (db: Db, collectionName: string): Promise<readonly BuiltIndex[] | null> => {
  try {
    // With the ids of builds, one that another process is building is told in another form than those that can be used.
    const listed = { listIndexes: collectionName, includeBuildUUIDs: true, cursor: { batchSize: indexesMax } };
    const { cursor } = await db.command(listed);
    return (cursor.firstBatch as readonly Partial<BuiltIndex>[]).filter((each): each is BuiltIndex => 'name' in each);
  } catch (error) {
    if (!hasCode(error, namespaceNotFound)) throw error;
    return null;
  }
};

/** The order of its fields is part of an index, and so is whatever else is said of it: one that leaves documents out is another. */
const definitionOf = ({ key, v: _, ...rest }: IndexDescription & Pick<BuiltIndex, 'v'>): string => {
  const options = Object.entries(rest).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([key instanceof Map ? [...key] : Object.entries(key), options]);
};

/** Whether all of these are there, and nothing has to be built. */
export const areBuilt = (built: readonly BuiltIndex[] | null, indexes: readonly IndexDescription[]): boolean => {
  const known = new Set(built?.map(definitionOf));
  return built !== null && indexes.every((index) => known.has(definitionOf(index)));
};

export const makeCollection = async (db: Db, name: string): Promise<void> => {
  try {
    await db.createCollection(name);
  } catch (error) {
    if (!hasCode(error, namespaceExists)) throw error;
  }
};
