import type { Collection, CreateIndexesOptions, Db, IndexDescription } from 'mongodb';
import type { IndexFields } from '../../kernel/projection.ts';
import { StartupError } from '../../kernel/startup-error.ts';
import { indexName, indexPaths } from './declared-indexes.ts';
import { hasCode, namespaceExists } from './failures.ts';

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

export const makeCollection = async (db: Db, name: string): Promise<void> => {
  try {
    await db.createCollection(name);
  } catch (error) {
    if (!hasCode(error, namespaceExists)) throw error;
  }
};
