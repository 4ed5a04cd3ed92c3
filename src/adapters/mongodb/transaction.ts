import type { ClientSession, MongoClient, TransactionOptions } from 'mongodb';
import { MongoError, MongoErrorLabel } from 'mongodb';
import type { Clock } from '../../ports/clock.ts';
import type { WhileHeldUp } from './abandoned-transactions.ts';
import { isCut, isTooLarge } from './failures.ts';

/**
 * Runs the work in a transaction, again when it met another one or a cut, and commits it if its result is to be kept. It begins
 * on the server with the first command that is given the session: what is read before that holds nobody up.
 */
export type RunTransaction = <Result>(
  work: (session: ClientSession) => Promise<Result>,
  isKept: (result: Result) => boolean,
) => Promise<Result>;

/** The driver's own loop tries for two minutes, which no request waits. */
const tryingMs = 10_000;
const firstPauseMs = 2;
const pauseMsMax = 100;

const options: TransactionOptions = {
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 8_000 },
  readPreference: 'primary',
};

const hasLabel = (error: unknown, label: string): boolean => error instanceof MongoError && error.hasErrorLabel(label);

/** Asking again tells whether it was committed: the server knows the transaction by its number. */
const isCommitUnknown = (error: unknown): boolean => hasLabel(error, MongoErrorLabel.UnknownTransactionCommitResult);

/**
 * Nothing of it was or will be committed, so it may be tried as a whole. The driver does not label what happened on a
 * connection that another one's failure has made stale; before the commit a cut means the same there.
 */
const isTransient = (error: unknown): boolean =>
  !isTooLarge(error) &&
  !isCommitUnknown(error) &&
  (hasLabel(error, MongoErrorLabel.TransientTransactionError) || isCut(error));

export interface RunTransactionDeps {
  readonly client: MongoClient;
  readonly clock: Clock;
  readonly whileHeldUp: WhileHeldUp;
}

export const createRunTransaction = ({ client, clock, whileHeldUp }: RunTransactionDeps): RunTransaction => {
  const commit = async (session: ClientSession, endMs: number): Promise<void> => {
    for (;;) {
      try {
        await session.commitTransaction();
        return;
      } catch (error) {
        if (error instanceof MongoError && isCut(error)) {
          error.addErrorLabel(MongoErrorLabel.UnknownTransactionCommitResult); // which the driver leaves out, too
        }
        if (!isCommitUnknown(error) || clock.nowMs() >= endMs) throw error;
      }
    }
  };

  const attempt = async <Result>(
    session: ClientSession,
    endMs: number,
    ...[work, isKept]: Parameters<typeof tryAgainAndAgain<Result>>
  ): Promise<Result> => {
    session.startTransaction(options);
    try {
      const result = await work(session);
      if (isKept(result)) await commit(session, endMs);
      return result;
    } finally {
      // The server ends on its own what this cannot.
      if (session.inTransaction()) await session.abortTransaction();
    }
  };

  const tryAgainAndAgain: RunTransaction = async (work, isKept) => {
    const endMs = clock.nowMs() + tryingMs;
    const session = client.startSession();
    try {
      for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMsMax, pauseMs * 2)) {
        try {
          return await attempt(session, endMs, work, isKept);
        } catch (error) {
          if (!isTransient(error) || clock.nowMs() >= endMs) throw error;
        }
        // Those who met go on at different moments, or they meet again.
        await clock.sleep(pauseMs * Math.random());
      }
    } finally {
      await session.endSession();
    }
  };
  return (work, isKept) => whileHeldUp(() => tryAgainAndAgain(work, isKept));
};
