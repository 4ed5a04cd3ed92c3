import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ClientSession, Filter, FindOptions } from 'mongodb';
import { createPageSize } from '../../../kernel/paging/page-size.ts';
import type { Document } from '../../../kernel/projection.ts';
import type { Lease } from '../../../ports/leases.ts';
import type {
  ChangedDocument,
  ChangePlace,
  IndexQuery,
  ReadModel,
  ReadModelWrite,
  WriteOutcome,
} from '../../../ports/read-models.ts';
import type { WhileHeldUp } from '../abandoned-transactions.ts';
import type { MongoConnection } from '../connection.ts';
import { guarded, hasCode, heldUpMsMax } from '../failures.ts';
import { checkedLimit } from '../../checked-indexes.ts';
import { handedOver } from '../../handed-over.ts';
import { compareTexts, indexRun, nextText } from '../index-run.ts';
import { inOneAnswer } from '../one-answer.ts';
import { createMongoLeases, heldFilter, type LeasePlace } from '../leases.ts';
import { leasePrefix, type OpenGeneration, positionIndex, type ReadGenerations } from './generations.ts';
import { openAllRows } from './all-rows.ts';
import type { StoredRow, Tombstone } from './rows.ts';
import { documentsOf, onlyBodies } from './stored-bodies.ts';
import type { JointPart } from './joint-writes.ts';
import { createReadModelWriter, type ReadModelWriterDeps } from './writer.ts';
import type { RunTransaction } from '../transaction.ts';

/** Of one answer of the server while everything is read. */
const pageRows = 4_000;

export interface ReadModelDeps {
  readonly connection: MongoConnection;
  readonly generations: ReadGenerations;
  readonly generation: OpenGeneration;
  readonly runTransaction: RunTransaction;
  readonly whileHeldUp: WhileHeldUp;
  readonly requireOpen: () => void;
}

/** The range of (position, id) behind this place. */
export const changedRange = ({ position, id }: ChangePlace, limit: number) => ({
  hint: positionIndex.name,
  min: { position, _id: nextText(id) },
  max: { position: Number.POSITIVE_INFINITY, _id: '' },
  sort: positionIndex.key,
  ...inOneAnswer(limit),
});

const badValue = 2;
const queryPlanKilled = 175;

const isMissingHint = (error: unknown): boolean =>
  hasCode(error, badValue) && /hint provided does not correspond/.test((error as Error).message);

/** One generation over its collections, and what it adds to a transaction of several. */
export const createReadModel = <Doc extends Document>(
  deps: ReadModelDeps,
): { readonly model: ReadModel<Doc>; readonly part: JointPart } => {
  const { connection, generations, generation, whileHeldUp, requireOpen } = deps;
  const { client, db } = connection;
  const { declared, filter } = generation;
  const documents = db.collection<StoredRow>(generation.documents);
  const deleted = db.collection<Tombstone>(generation.deleted);

  const dropped = (cause?: unknown): Error => new Error(`${declared.owner} was dropped`, { cause });

  /** A collection that is not there any more is read as an empty one: so an empty answer is looked into. */
  const requireThere = async (cause?: unknown): Promise<void> => {
    if (!(await generations.isThere(generation))) throw dropped(cause);
  };

  const read = async <Row>(index: string, rowsOf: () => Promise<Row[]>): Promise<Row[]> => {
    try {
      const rows = await rowsOf();
      if (rows.length === 0) await requireThere();
      return rows;
    } catch (error) {
      if (hasCode(error, queryPlanKilled)) await requireThere(error);
      if (!isMissingHint(error)) throw error;
      await requireThere(error);
      throw new Error(`${declared.owner} is still being filled: it has no index ${index} yet`, { cause: error });
    }
  };

  const parse = ({ body }: Pick<StoredRow, 'body'>): Doc => JSON.parse(body) as Doc;

  const query = async ({ limit, ...range }: IndexQuery): Promise<Doc[]> => {
    const { rest: _, isEmpty, ...run } = indexRun(declared, range);
    if (checkedLimit(limit) === 0 || isEmpty) return [];
    const options = { ...run, ...inOneAnswer(limit), ...onlyBodies };
    return documentsOf<Doc>(await read(range.index, () => documents.find<Uint8Array>({}, options).toArray()));
  };

  const changedAfter: ReadModel<Doc>['changedAfter'] = async (after, limit) => {
    if (checkedLimit(limit) === 0) return [];
    const rowsOf = async () => {
      // Of one moment: between two reads a document could come back and be in neither.
      const session = client.startSession({ snapshot: true });
      try {
        const options = { ...changedRange(after, limit), session };
        const rows = await documents.find({}, { ...options, projection: { body: 1, position: 1 } }).toArray();
        const gone = await deleted.find({}, options).toArray();
        return [...rows.map((row) => ({ ...row, doc: parse(row) })), ...gone.map((row) => ({ ...row, doc: null }))];
      } finally {
        await session.endSession();
      }
    };
    const changes = (await read(positionIndex.name, rowsOf)).map(
      ({ _id, doc, position }): ChangedDocument<Doc> => ({ id: _id, doc, position }),
    );
    return changes.sort((a, b) => a.position - b.position || compareTexts(a.id, b.id)).slice(0, limit);
  };

  const placeOf = (name: string): LeasePlace => ({
    filter: filter as LeasePlace['filter'],
    prefix: leasePrefix(name),
  });

  /** Finds nothing where another holds the lease, or the checkpoint is there already. */
  const moveOf: JointPart['moveOf'] = ({ lease, position }) => ({
    filter: { ...heldFilter(placeOf(lease.name), lease), checkpoint: { $lt: position } },
    update: { $set: { checkpoint: position } },
  });

  /** One update in the good case; only when it finds nothing is looked for the reason, in the same snapshot. */
  const moveWithin = async (
    { lease, position }: { readonly lease: Lease; readonly position: number },
    session?: ClientSession,
  ): Promise<WriteOutcome> => {
    const within = session === undefined ? { maxTimeMS: heldUpMsMax } : { session };
    const held = heldFilter(placeOf(lease.name), lease);
    const { filter: free, update } = moveOf({ lease, position });
    const { matchedCount } = await generations.collection.updateOne(free, update, within);
    if (matchedCount === 1) return 'written';
    const one = { ...within, projection: { _id: 1 } } as const;
    if ((await generations.collection.findOne(filter as Filter<object>, one)) === null) throw dropped();
    return (await generations.collection.findOne(held, one)) === null ? 'stale_lease' : 'behind';
  };

  const moveCheckpoint: ReadModelWriterDeps['moveCheckpoint'] = (moved, session) =>
    session === undefined ? whileHeldUp(() => moveWithin(moved)) : moveWithin(moved, session);

  const writer = createReadModelWriter({ db, generation, runTransaction: deps.runTransaction, moveCheckpoint });

  const leases = createMongoLeases({ collection: generations.collection, placeOf, missing: dropped, whileHeldUp });

  const findById = (find: Filter<StoredRow>, options: FindOptions) =>
    read('_id', () => documents.find(find, { ...options, hint: { _id: 1 } }).toArray());

  const rowsAfter = async (afterId: string, limit: number) => {
    if (checkedLimit(limit) === 0) return [];
    const options = { sort: { _id: 1 }, ...inOneAnswer(limit), projection: { body: 1, position: 1 } } as const;
    return findById({ _id: { $gt: afterId } }, options);
  };

  const scan: ReadModel<Doc>['scan'] = async (afterId, limit) => {
    const rows = await rowsAfter(afterId, limit);
    return rows.map((row) => ({ doc: parse(row), position: row.position }));
  };

  const scanTexts: ReadModel<Doc>['scanTexts'] = async (after, limit) => {
    const rows = await rowsAfter(String(after ?? ''), limit);
    return rows.map(({ _id, body }) => ({ id: _id, text: body, place: _id }));
  };

  const readAll: ReadModel<Doc>['readAll'] = async (onPage) => {
    // As they lie: in the order of ids the server would look for each in another place.
    const all = openAllRows(connection, generation.documents, pageRows);
    const nextRows = () => read('_id', all.next);
    const size = createPageSize(handedOver);
    try {
      for (let rows = await nextRows(); rows.length > 0; ) {
        const coming = nextRows(); // the server reads on while these are taken over
        coming.catch(() => undefined); // told below, unless who takes them over fails before
        for (let from = 0; from < rows.length; ) {
          if (from > 0) await nextTurn();
          const turn = rows.slice(from, from + size.count());
          onPage(documentsOf<Doc>(turn));
          size.saw(
            turn.length,
            turn.reduce((sum, row) => sum + row.length, 0),
          );
          from += turn.length;
        }
        rows = await coming;
      }
    } finally {
      await all.close();
    }
  };

  const model = guarded<ReadModel<Doc>>(
    {
      declaration: generation.declaration,
      get: async (ids) => {
        if (ids.length === 0) return [];
        const options = { ...onlyBodies, ...inOneAnswer(ids.length), hint: { _id: 1 } };
        const rowsOf = () => documents.find<Uint8Array>({ _id: { $in: [...ids] } }, options).toArray();
        return documentsOf<Doc>(await read('_id', rowsOf));
      },
      query,
      scan,
      scanTexts,
      readAll,
      changedAfter,
      write: (changes) => writer.write(changes as ReadModelWrite<Document>),
      checkpoint: async () => {
        const checkpoint = await generations.checkpointOf(generation);
        if (checkpoint === null) throw dropped();
        return checkpoint;
      },
      leases: guarded(leases, requireOpen),
      completeIndexes: async (mayBegin) => {
        await requireThere();
        await generations.completeIndexes(generation, mayBegin);
      },
    },
    requireOpen,
  );
  return { model, part: { moveOf, prepare: writer.prepare } };
};
