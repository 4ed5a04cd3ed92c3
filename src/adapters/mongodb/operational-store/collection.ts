import type { Collection, Filter } from 'mongodb';
import type { Document } from '../../../kernel/projection.ts';
import type { OperationalCollection, OperationalQuery, Stored } from '../../../ports/operational-store.ts';
import type { DeclaredIndexes } from '../declared-indexes.ts';
import { checkedLimit } from '../../checked-indexes.ts';
import { indexRun } from '../index-run.ts';
import { inOneAnswer } from '../one-answer.ts';
import { documentOf, type StoredOpsDocument } from './declarations.ts';

/** A document is there until its time has come by the clock of the server. */
export const unexpired: Filter<StoredOpsDocument> = {
  $or: [{ expiresAt: { $exists: false } }, { $expr: { $gt: ['$expiresAt', '$$NOW'] } }],
};

export const createOpsCollection = <Doc extends Document>(
  documents: Collection<StoredOpsDocument>,
  declared: DeclaredIndexes,
): OperationalCollection<Doc> => {
  const projection = { _id: 0, body: 1, stamped: 1, revision: 1 };
  const parse = (row: StoredOpsDocument): Stored<Doc> => ({ doc: documentOf<Doc>(row), revision: row.revision });

  const getMany = async (ids: readonly string[]): Promise<Stored<Doc>[]> => {
    if (ids.length === 0) return [];
    const filter = { $and: [{ _id: { $in: [...ids] } }, unexpired] };
    return (await documents.find(filter, { projection, ...inOneAnswer(ids.length) }).toArray()).map(parse);
  };

  return {
    get: async (id) => (await getMany([id]))[0] ?? null,
    getMany,
    query: async ({ limit, ...range }: OperationalQuery) => {
      const { rest: _, isEmpty, ...run } = indexRun(declared, range);
      if (checkedLimit(limit) === 0 || isEmpty) return [];
      return (await documents.find(unexpired, { ...run, projection, ...inOneAnswer(limit) }).toArray()).map(parse);
    },
    scan: async (afterId, limit) => {
      if (checkedLimit(limit) === 0) return [];
      const filter = { $and: [{ _id: { $gt: afterId } }, unexpired] };
      const rows = await documents.find(filter, { sort: { _id: 1 }, ...inOneAnswer(limit) }).toArray();
      return rows.map((row) => ({ doc: documentOf<Doc>(row), expiresAtMs: row.expiresAt?.getTime() ?? null }));
    },
  };
};
