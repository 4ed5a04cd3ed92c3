import type { Document, MongoClient, UUID } from 'mongodb';
import { createCachedAnswer } from '../../concurrency/cached-answer.ts';
import { BackendBusy } from '../../kernel/backend-unavailable.ts';
import type { Clock } from '../../ports/clock.ts';
import type { MongoConnection } from './connection.ts';
import { isConflict } from './failures.ts';

/** A transaction between two of its commands, as the server tells of it. */
export interface OpenTransaction {
  readonly session: UUID;
  readonly appName: string;
  /** Stays the same as long as nothing more is done in it. */
  readonly mark: string;
}

/** Runs a write that may have to wait for the transaction of another, and sees to it that the other one ends. */
export type WhileHeldUp = <Result>(write: () => Promise<Result>) => Promise<Result>;

/** Who waits for less meets somebody who is at work. */
const lookAfterMs = 1_000;
const lookEveryMs = 500;
/** All is prepared before a transaction begins, so between two of its commands nobody is silent for that long. */
const silentMs = 2_000;

const openTransaction = ({ lsid, appName, transaction }: Document): OpenTransaction => ({
  session: lsid.id,
  appName: String(appName),
  mark: `${lsid.id.toHexString()} ${transaction.parameters.txnNumber} ${transaction.timeActiveMicros}`,
});

/** Those of the user of the connection, of this and of other processes; this takes no right that the user has to be given. */
export const openTransactions = async (client: MongoClient): Promise<OpenTransaction[]> => {
  const own = { $currentOp: { allUsers: false, idleSessions: true } };
  const idle = { $match: { type: 'idleSession', 'transaction.parameters.autocommit': false } };
  const found = client.db('admin').aggregate([own, idle], { readConcern: { level: 'local' } }); // it takes no other
  return (await found.toArray()).map(openTransaction);
};

/**
 * The server keeps the transaction of a process that was killed for one to one and a half minutes, and with it every
 * document that it has written. So whoever is held up by one looks for those that are silent, and ends them: a process
 * that only slept finds its transaction gone and makes it again.
 */
export const createWhileHeldUp = ({ client, isOurs }: MongoConnection, clock: Clock): WhileHeldUp => {
  const silentSince = new Map<string, number>();

  const look = async (): Promise<void> => {
    const open = (await openTransactions(client)).filter(({ appName }) => isOurs(appName));
    const marks = new Set(open.map(({ mark }) => mark));
    for (const mark of silentSince.keys()) if (!marks.has(mark)) silentSince.delete(mark);
    const nowMs = clock.nowMs();
    for (const mark of marks) if (!silentSince.has(mark)) silentSince.set(mark, nowMs);
    const abandoned = open.filter(({ mark }) => nowMs - silentSince.get(mark)! >= silentMs);
    if (abandoned.length === 0) return;
    await client.db('admin').command({ killSessions: abandoned.map(({ session }) => ({ id: session })) });
  };
  const lookTogether = createCachedAnswer(clock, lookEveryMs, look);

  const lookOn = async (over: AbortSignal): Promise<void> => {
    await clock.sleep(lookAfterMs, over);
    while (!over.aborted) {
      await lookTogether();
      await clock.sleep(lookEveryMs, over);
    }
  };

  return async (write) => {
    const over = new AbortController();
    const failures: unknown[] = [];
    lookOn(over.signal).catch((failure: unknown) => failures.push(failure));
    try {
      return await write();
    } catch (error) {
      // Looks that failed matter only to a write that nobody let through.
      if (failures.length === 0 || !isConflict(error)) throw error;
      throw new BackendBusy('MongoDB', { cause: new AggregateError([error, ...failures]) });
    } finally {
      over.abort();
    }
  };
};
