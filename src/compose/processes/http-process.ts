import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Connection } from '../../adapters/node-http/http-connections.ts';
import { restoreError } from '../../adapters/threads/thread-messages.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FromHttpProcess, HttpProcessStart, ToHttpProcess } from './messages.ts';

export interface HttpProcess {
  /** False until it is ready, and while it has too much to take already. */
  readonly canTake: () => boolean;
  readonly isReady: () => boolean;
  /** To be called only where it can. A connection that it dies without having taken is given back. */
  readonly take: (connection: Connection) => void;
  /** Lets it finish the requests in hand. */
  readonly stop: () => void;
  /** Ends it at once. */
  readonly kill: () => void;
  /** Why it ended. */
  readonly ended: Promise<Error>;
}

export interface HttpProcessOptions {
  readonly start: HttpProcessStart;
  readonly onReady: (processId: number, metricsUrl: string | undefined) => void;
  readonly giveBack: (connection: Connection) => void;
  readonly clock: Clock;
}

/**
 * A process that hangs shall not hold all that come. So many arrive together at most: half of what the system lets wait to
 * be accepted (511).
 */
const untakenMax = 256;

/** One that has not even taken a connection by then takes none any more: it is ended, and others have what it did not take. */
const untakenMsMax = 15_000;

/** As it is compiled, or as source when this runs from source: the flags of this process, a loader among them, are its own. */
function forkProcess(): ChildProcess {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return fork(fileURLToPath(new URL(`./http-process-worker.${extension}`, import.meta.url)), {
    serialization: 'advanced', // keys are bytes
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

/** Starts one further process that answers requests. */
export function startHttpProcess({ start, onReady, giveBack, clock }: HttpProcessOptions): HttpProcess {
  const child = forkProcess();
  const untaken = new Map<number, Connection>();
  let lastId = 0;
  let isReady = false;
  let lastWords: Error | undefined;
  let watching: AbortController | undefined;

  // What cannot be sent because it has ended is told by its end.
  const send = (message: ToHttpProcess): void => void child.send(message, () => {});

  child.on('message', (message: FromHttpProcess) => {
    if (message.kind === 'ready') {
      isReady = true;
      onReady(child.pid!, message.metricsUrl);
    } else if (message.kind === 'failed') {
      lastWords = restoreError(message.error);
    } else {
      untaken.get(message.id)?.destroy(); // closes it here; there it stays open
      untaken.delete(message.id);
      watching?.abort();
      if (untaken.size > 0) void watch();
    }
  });

  const watch = async (): Promise<void> => {
    const { signal } = (watching = new AbortController());
    await clock.sleep(untakenMsMax, signal);
    if (signal.aborted) return;
    lastWords = new Error(`It took no connection for ${untakenMsMax / 1_000} s.`);
    child.kill('SIGKILL');
  };

  const ended = new Promise<Error>((resolve) => {
    const end = (how: string): void => {
      isReady = false;
      watching?.abort();
      const left = [...untaken.values()];
      untaken.clear();
      for (const connection of left) giveBack(connection);
      resolve(lastWords ?? new Error(`It ended with ${how}.`));
    };
    child.once('exit', (code, signal) => {
      const how = signal ?? `code ${code}`;
      // What it has taken may still be on the way to us.
      if (child.connected) child.once('disconnect', () => end(how));
      else end(how);
    });
    child.on('error', (error) => {
      if (child.pid === undefined) end(error.message); // it could not even be started
    });
  });

  if (child.pid !== undefined) send({ kind: 'start', ...start });
  return {
    isReady: () => isReady && child.connected,
    canTake: () => isReady && child.connected && untaken.size < untakenMax,
    take: (connection) => {
      lastId += 1;
      if (untaken.size === 0) void watch();
      untaken.set(lastId, connection);
      const message: ToHttpProcess = { kind: 'connection', id: lastId };
      // Kept open here until it is taken, so that nobody hangs on a process that died.
      child.send(message, connection, { keepOpen: true }, () => {});
    },
    stop: () => send({ kind: 'stop' }),
    kill: () => void child.kill('SIGKILL'),
    ended,
  };
}
