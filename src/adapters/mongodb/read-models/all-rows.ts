import { type Document, MongoServerSelectionError } from 'mongodb';
import type { MongoConnection } from '../connection.ts';
import { isUnavailable } from '../failures.ts';
import { bodyAlone } from './stored-bodies.ts';

/** All rows of a collection, an answer of the server at a time. */
export interface AllRows {
  /** None when all were told. To be asked for again only when the last ones are there. */
  readonly next: () => Promise<Uint8Array[]>;
  readonly close: () => Promise<void>;
}

interface Answer {
  readonly cursor: {
    /** 0 where nothing follows. */
    readonly id: bigint;
    readonly firstBatch?: Uint8Array[];
    readonly nextBatch?: Uint8Array[];
  };
}

/** Each row as the bytes that were sent, and the number of the cursor whole. */
const asSent = { fieldsAsRaw: { firstBatch: true, nextBatch: true }, useBigInt64: true } as const;

/**
 * Asks by commands, as a cursor of the driver makes a dozen objects of each row, also where it hands out nothing but bytes: of
 * hundreds of thousands of small rows, that and clearing it away took longer than to read them.
 */
export const openAllRows = (
  { client, db }: Pick<MongoConnection, 'client' | 'db'>,
  collection: string,
  answerRows: number,
): AllRows => {
  const session = client.startSession({ causalConsistency: false }); // the server ties a cursor to it
  const find = { find: collection, batchSize: answerRows, projection: bodyAlone, readConcern: { level: 'majority' } };
  let cursorId: bigint | null = null;
  let asking: Promise<unknown> = Promise.resolve();

  const ask = async (command: Document): Promise<Uint8Array[]> => {
    const { cursor } = (await db.command(command, { ...asSent, session })) as Answer;
    cursorId = cursor.id;
    return cursor.firstBatch ?? cursor.nextBatch ?? [];
  };

  /** Once more where the server was there and is voting, or has cut the connection, as the driver does for its cursors. */
  const begin = async (): Promise<Uint8Array[]> => {
    try {
      return await ask(find);
    } catch (error) {
      if (!isUnavailable(error) || error instanceof MongoServerSelectionError) throw error;
      return ask(find);
    }
  };

  const goOn = async (getMore: bigint): Promise<Uint8Array[]> =>
    getMore === 0n ? [] : ask({ getMore, collection, batchSize: answerRows });

  const forget = async (cursor: bigint): Promise<void> => {
    try {
      await db.command({ killCursors: collection, cursors: [cursor] }, { session });
    } catch (error) {
      if (!isUnavailable(error)) throw error; // a server that is away forgets it by itself
    }
  };

  return {
    next: () => {
      const rows = cursorId === null ? begin() : goOn(cursorId);
      asking = rows;
      return rows;
    },
    close: async () => {
      try {
        const isAnswered = await asking.then(
          () => true,
          () => false, // told to who asked
        );
        if (isAnswered && cursorId !== null && cursorId !== 0n) await forget(cursorId);
      } finally {
        await session.endSession();
      }
    },
  };
};
