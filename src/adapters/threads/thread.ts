import { MessageChannel, type MessagePort, type TransferListItem, Worker } from 'node:worker_threads';
import { type FromThread, restoreError, type ThreadCalls, type ToThread } from './thread-messages.ts';

export type Input<Call> = Call extends (input: infer I) => unknown ? I : never;
export type Output<Call> = Call extends (input: never) => infer O ? Awaited<O> : never;

export interface Calling<Calls extends ThreadCalls> {
  /** Rejects when the call throws, and when the thread ends before it has answered. */
  readonly call: <Name extends keyof Calls & string>(
    name: Name,
    input: Input<Calls[Name]>,
    transfer?: readonly TransferListItem[],
  ) => Promise<Output<Calls[Name]>>;
  /** Lets the calls in hand finish. May be called twice. */
  readonly close: () => Promise<void>;
}

export interface Thread<Calls extends ThreadCalls> extends Calling<Calls> {
  /** A way to the thread for another one, who takes it with `joinThread`; to be transferred to it. */
  readonly share: () => MessagePort;
  /** Ends it at once; the calls in hand are rejected. */
  readonly stop: () => Promise<void>;
}

export interface ThreadOptions {
  /** For messages: `event writer`. */
  readonly name: string;
  /** `import.meta.url` of the module that stands beside the thread's module. */
  readonly beside: string;
  /** File name of the thread's module without its extension; it calls `serveThread`. */
  readonly module: string;
  readonly workerData?: unknown;
  /** What of it is handed over and not copied. */
  readonly transfer?: readonly TransferListItem[];
  /** What it has for objects that live briefly; else as much as the main thread, which answers requests. */
  readonly youngMbMax?: number;
  /** The thread ended though nobody closed it. The owner starts another one or ends the process. */
  readonly onExit: (reason: Error) => void;
  /** Ends a thread that does not serve yet; then starting it throws. */
  readonly signal?: AbortSignal;
}

/** What was asked of a thread that has ended, or ended before it could answer. */
export class ThreadEnded extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ThreadEnded';
  }
}

/** The thread's module as it is compiled, or as source when the caller runs from source. */
function startWorker({ name, beside, module, workerData, transfer = [], youngMbMax }: ThreadOptions): Worker {
  const extension = beside.endsWith('.ts') ? 'ts' : 'js';
  const url = new URL(`./${module}.${extension}`, beside);
  const typescript = new URL('./register-typescript.mjs', import.meta.url).href;
  const execArgv = extension === 'ts' ? ['--import', typescript] : [];
  const resourceLimits = youngMbMax === undefined ? {} : { maxYoungGenerationSizeMb: youngMbMax };
  return new Worker(url, { name, workerData, transferList: [...transfer], execArgv, resourceLimits });
}

/** Starts a thread and waits until it serves. What it throws while starting is thrown here. */
export async function startThread<Calls extends ThreadCalls>(options: ThreadOptions): Promise<Thread<Calls>> {
  const worker = startWorker(options);
  const pending = new Map<number, { resolve: (value: never) => void; reject: (reason: Error) => void }>();
  let lastId = 0;
  let ended: Error | undefined;
  let serving = false;
  let unwanted = false;
  let closing: Promise<void> | undefined;
  let died = false;
  let closeFailure: Error | undefined;

  const exited = new Promise<void>((resolve) => {
    worker.once('exit', (code) => {
      ended ??= new ThreadEnded(`The ${options.name} thread ended${closing ? '' : ` unexpectedly with code ${code}`}.`);
      for (const { reject } of pending.values()) reject(ended);
      pending.clear();
      resolve();
      if (serving && (died || closing === undefined)) options.onExit(ended);
    });
  });
  const die = (what: string) => (error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    ended ??= new ThreadEnded(`The ${options.name} thread ${what}: ${reason}`, { cause: error });
    if (closing === undefined) died = true;
    else closeFailure = ended;
    void worker.terminate();
  };
  worker.on('error', die('died'));
  worker.on('messageerror', die('sent what cannot be read'));

  // It leaves by itself, between two turns of its own: one that is ended while SQLite fails takes the process with it.
  const giveUp = () => {
    if (serving) return;
    unwanted = true;
    worker.postMessage({ kind: 'close' } satisfies ToThread);
  };
  await new Promise<void>((resolve, reject) => {
    worker.on('message', (message: FromThread) => {
      if (message.kind === 'serving') {
        if (unwanted) return; // it is told so, and leaves
        serving = true;
        return resolve();
      }
      if (message.kind === 'failed') {
        reject(restoreError(message.error));
        return void worker.terminate();
      }
      if (message.kind === 'died') return die('died')(restoreError(message.error));
      const waiting = pending.get(message.id);
      pending.delete(message.id);
      if (message.kind === 'answer') waiting?.resolve(message.output as never);
      else waiting?.reject(restoreError(message.error));
    });
    void exited.then(() => reject(ended));
    options.signal?.addEventListener('abort', giveUp, { once: true });
    if (options.signal?.aborted === true) giveUp();
  }).finally(() => options.signal?.removeEventListener('abort', giveUp));

  const send = (message: ToThread, transfer: readonly TransferListItem[] = []) => worker.postMessage(message, transfer);

  return {
    share: () => {
      const { port1, port2 } = new MessageChannel();
      send({ kind: 'join', port: port1 }, [port1]);
      return port2;
    },
    call: (name, input, transfer) =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) return reject(ended);
        if (closing !== undefined) return reject(new Error(`The ${options.name} thread is closed.`));
        lastId += 1;
        send({ kind: 'call', id: lastId, name, input }, transfer);
        pending.set(lastId, { resolve, reject });
      }),
    close: () => {
      if (closing === undefined) {
        closing = exited.then(() => {
          if (closeFailure !== undefined) throw closeFailure;
        });
        if (ended === undefined) send({ kind: 'close' });
      }
      return closing;
    },
    stop: () => {
      closing ??= exited;
      void worker.terminate();
      return exited;
    },
  };
}
