import type { ClientSession } from 'mongodb';
import type { Document, ReadModelDeclaration } from '../../../kernel/projection.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { OpenOptions, PointerSwitch, ReadModel, ReadModels, RefusedSwitch } from '../../../ports/read-models.ts';
import { createWhileHeldUp } from '../abandoned-transactions.ts';
import type { MongoConnection } from '../connection.ts';
import { duplicateKey, guarded, hasCode } from '../failures.ts';
import { createReadGenerations } from './generations.ts';
import { createJointWrites } from './joint-writes.ts';
import { createReadModel } from './read-model.ts';
import { createStoredIdentity } from '../stored-identity.ts';
import { createRunTransaction } from '../transaction.ts';

export interface MongoStoreOptions {
  /** Stays open when the store is closed: others may use it. */
  readonly connection: MongoConnection;
  readonly clock: Clock;
}

interface Pointer {
  readonly _id: string;
  readonly generation: number;
  /** Which ones were live and are no longer; absent when there were none. */
  readonly past?: readonly number[];
}

/** Two collections for each generation, and three for all. */
export const createMongoReadModels = ({ connection, clock }: MongoStoreOptions): ReadModels => {
  const { client, db } = connection;
  const generations = createReadGenerations(db);
  const pointers = db.collection<Pointer>('read.pointers');
  const identity = createStoredIdentity(db, 'read.identity', 'These read models');
  const whileHeldUp = createWhileHeldUp(connection, clock);
  const runTransaction = createRunTransaction({ client, clock, whileHeldUp });
  const joint = createJointWrites({ db, collection: generations.collection, runTransaction });
  let closed = false;

  const requireOpen = (): void => {
    if (closed) throw new Error('The read models are closed.');
  };

  const open = async <Doc extends Document>(
    declaration: ReadModelDeclaration,
    { fillingWith }: OpenOptions = {},
  ): Promise<ReadModel<Doc>> => {
    const generation = await generations.open(declaration, fillingWith);
    const deps = { connection, generations, generation, runTransaction, whileHeldUp, requireOpen };
    const { model, part } = createReadModel<Doc>(deps);
    joint.opened(declaration, part);
    return model;
  };

  const switchOne = async (session: ClientSession, { name, expected, generation }: PointerSwitch): Promise<boolean> => {
    if (expected !== null) {
      const live = { _id: name, generation: expected };
      const withExpected = { $setUnion: [{ $ifNull: ['$past', []] }, [expected]] };
      const past = { $setDifference: [withExpected, [generation]] }; // it may be live for the second time
      return (await pointers.updateOne(live, [{ $set: { generation, past } }], { session })).matchedCount === 1;
    }
    try {
      await pointers.insertOne({ _id: name, generation }, { session });
      return true;
    } catch (error) {
      if (hasCode(error, duplicateKey)) return false;
      throw error;
    }
  };

  const switchPointers: ReadModels['switchPointers'] = (switches) =>
    runTransaction(
      async (session): Promise<RefusedSwitch | null> => {
        for (const one of switches) {
          if (!(await switchOne(session, one))) return { name: one.name, reason: 'changed' };
          if (!(await generations.noteSwitch(one, session))) return { name: one.name, reason: 'gone' };
        }
        return null;
      },
      (refused) => refused === null,
    );

  /** False when it is not there, is live, or was worked on since; one that was dropped only half way is ended. */
  const drop = async (name: string, generation: number, idleMs?: number): Promise<boolean> => {
    const which = { name, generation, ...(idleMs !== undefined && { idleMs }) };
    const marked = await runTransaction(
      async (session) => {
        const before = await generations.markDropped(which, session);
        if (before === null) return null;
        const live = (await pointers.findOne({ _id: name }, { session }))?.generation;
        if (live === generation && !before.dropping) return null;
        await pointers.updateOne({ _id: name }, { $pull: { past: generation } }, { session }); // its number may be used again
        return before;
      },
      (before) => before !== null,
    );
    if (marked !== null) await generations.finishDrop(marked);
    return marked !== null;
  };

  return {
    ...guarded<Omit<ReadModels, 'close'>>(
      {
        open,
        pointers: async () =>
          Object.fromEntries((await pointers.find().toArray()).map(({ _id, generation }) => [_id, generation])),
        switchPointers,
        passOver: async (moves) => (moves.length === 0 ? 0 : whileHeldUp(() => generations.passOver(moves))),
        writeTogether: joint.writeTogether,
        generations: generations.numbersOf,
        pastGenerations: async (name) => {
          const { past = [] } = (await pointers.findOne({ _id: name })) ?? {};
          return past.length === 0 ? [] : (await generations.numbersOf(name)).filter((number) => past.includes(number));
        },
        drop: async (name, generation) => void (await drop(name, generation)),
        dropAbandoned: drop,
        // The server gives freed space to what comes next, and its log of changes rolls over; neither can be hurried.
        scrub: async () => {},
        identity: identity.get,
        setIdentity: identity.set,
      },
      requireOpen,
    ),
    close: async () => {
      closed = true;
    },
  };
};
