import type { Database } from './open-database.ts';

export interface GroupCommit {
  /** Runs the work in a transaction that it may share with others; resolves with its result when that is durable. */
  readonly run: <Result>(bytes: number, work: () => Result) => Promise<Result>;
}

interface Job {
  readonly bytes: number;
  readonly work: () => unknown;
  readonly resolve: (result: never) => void;
  readonly reject: (reason: unknown) => void;
  result?: unknown;
}

/** Bounds the time a transaction takes and the log it leaves. */
const groupBytesMax = 16 * 1024 * 1024;

/** After these nothing is written and the next try may succeed; after any other the state of the disk is unknown. */
const recoverable: Readonly<Record<string, string>> = {
  SQLITE_BUSY: 'Nothing was written: another process keeps the file locked.',
  SQLITE_FULL: 'Nothing was written: there is no space left on the disk.',
};

/** Nothing was written, and the same call may succeed later. */
export const isPassing = (error: unknown): boolean =>
  error instanceof Error && Object.hasOwn(recoverable, (error as { code?: string }).code ?? '');

function recoverableErrorOf(error: unknown): Error | undefined {
  const { code = '' } = error as { code?: string };
  const sentence = recoverable[code];
  return sentence === undefined ? undefined : Object.assign(new Error(sentence, { cause: error }), { code });
}

/**
 * One flush to disk for all work that waits: while one group is written the next gathers. Work checks before it
 * writes, so what it throws is a failure of the file and not of that piece of work alone: the whole group is undone.
 */
export function createGroupCommit(db: Database, onCommit: () => void): GroupCommit {
  let waiting: Job[] = [];
  let scheduled = false;

  const schedule = (): void => {
    if (scheduled || waiting.length === 0) return;
    scheduled = true;
    setImmediate(flush);
  };

  const takeGroup = (): Job[] => {
    let bytes = 0;
    const fit = waiting.findIndex((job, index) => {
      bytes += job.bytes;
      return index > 0 && bytes > groupBytesMax;
    });
    const group = fit < 0 ? waiting : waiting.slice(0, fit);
    waiting = waiting.slice(group.length);
    return group;
  };

  const transact = db.transaction((group: readonly Job[]) => {
    for (const job of group) job.result = job.work();
  });

  const flush = (): void => {
    scheduled = false;
    const group = takeGroup();
    schedule();
    try {
      transact.immediate(group);
    } catch (error) {
      const reason = recoverableErrorOf(error);
      // Thrown from here it ends the thread, whose owner rejects what is pending and is told the reason.
      if (reason === undefined) throw error;
      for (const job of group) job.reject(reason);
      return;
    }
    onCommit();
    for (const job of group) job.resolve(job.result as never);
  };

  return {
    run: (bytes, work) =>
      new Promise((resolve, reject) => {
        waiting.push({ bytes, work, resolve, reject });
        schedule();
      }),
  };
}
