import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { EmbedderUnavailable, type Meaning } from '../../../ports/embedder.ts';
import type { EmbedJob, FromModelProcess, ToModelProcess } from './messages.ts';

export interface ModelProcess {
  /** Rejects with EmbedderUnavailable when the process ends, or is ended, before it has answered. */
  readonly embed: (job: Omit<EmbedJob, 'id'>, signal: AbortSignal) => Promise<readonly Meaning[]>;
  /** Refuses what is in hand; the text that is being embedded may end. */
  readonly close: () => Promise<void>;
}

export interface ProcessLimits {
  /** For loading the model. */
  readonly startMs: number;
  /** Silent for so long while it has something to do, the process is taken for hung. */
  readonly silentMs: number;
  /** For ending by itself. */
  readonly closeMs: number;
}

/** All that it needs of the environment; keys of the service are none of it. */
const inherited = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SystemRoot', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'];

/** The module as it is compiled, or as source when this runs from source. Standard output belongs to commands. */
function forkProcess(): ChildProcess {
  const isSource = import.meta.url.endsWith('.ts');
  const module = new URL(`./model-process.${isSource ? 'ts' : 'js'}`, import.meta.url);
  const typescript = new URL('../../threads/register-typescript.mjs', import.meta.url).href;
  return fork(fileURLToPath(module), {
    execArgv: isSource ? ['--import', typescript] : [],
    env: Object.fromEntries(inherited.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
    serialization: 'advanced', // vectors arrive as they are
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

interface Waiting {
  readonly resolve: (meanings: readonly Meaning[]) => void;
  readonly reject: (reason: unknown) => void;
}

/** Starts the process and waits until it serves. Rejects with EmbedderUnavailable when the model cannot be loaded. */
export async function startModelProcess(
  { startMs, silentMs, closeMs }: ProcessLimits,
  /** It ended though nobody closed it, after it had served. */
  onExit: (reason: EmbedderUnavailable) => void,
): Promise<ModelProcess> {
  const child = forkProcess();
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let answers = 0;
  let silence: NodeJS.Timeout | undefined;
  let ended: EmbedderUnavailable | undefined;
  let isServing = false;
  let closing: Promise<void> | undefined;

  const refuseAll = (reason: Error): void => {
    clearTimeout(silence);
    for (const { reject } of waiting.values()) reject(reason);
    waiting.clear();
  };
  /** It may be inside the model: that is safe for nobody but a process of its own. */
  const kill = (reason: string): void => {
    ended ??= new EmbedderUnavailable(reason);
    child.kill('SIGKILL');
  };
  const exited = new Promise<void>((resolve) => {
    const end = (how: string) => {
      const isLasting = how === 'SIGILL'; // the processor lacks an instruction
      ended ??= new EmbedderUnavailable(`The process that embeds texts ended: ${how}.`, { isLasting });
      refuseAll(ended);
      if (isServing && closing === undefined) onExit(ended);
      resolve();
    };
    child.once('exit', (code, signal) => {
      const how = signal ?? `code ${code}`;
      // Its last words may still be on the way.
      if (child.connected) child.once('disconnect', () => end(how));
      else end(how);
    });
    child.once('error', (error) => {
      if (child.pid === undefined) end(error.message); // it could not even be started
    });
  });

  /** Begins again with each answer, for as long as something is in hand. */
  const watchSilence = (): void => {
    clearTimeout(silence);
    if (waiting.size === 0) return;
    const heard = answers;
    const endIfSilent = () => {
      const isHung = answers === heard && waiting.size > 0;
      if (isHung) kill(`The process that embeds texts said nothing for ${silentMs} ms.`);
    };
    // If it was us who stood still, its answers are read before it is judged.
    silence = setTimeout(() => setImmediate(endIfSilent), silentMs);
  };

  const onAnswer = (message: FromModelProcess): void => {
    if (message.kind !== 'answer' && message.kind !== 'refusal') return;
    answers += 1;
    const caller = waiting.get(message.id);
    waiting.delete(message.id);
    watchSilence();
    if (message.kind === 'answer') caller?.resolve(message.meanings);
    else caller?.reject(new EmbedderUnavailable(`MiniLM could not embed a text: ${message.reason}`));
  };

  // What cannot be sent because it has ended is told by its end.
  const send = (message: ToModelProcess): void => void child.send(message, () => {});

  const tooSlow = setTimeout(() => kill(`The model was not loaded within ${startMs} ms.`), startMs);
  try {
    await new Promise<void>((resolve, reject) => {
      child.on('message', (message: FromModelProcess) => {
        if (message.kind === 'serving') {
          isServing = true;
          resolve();
        } else if (message.kind === 'failed') {
          ended ??= new EmbedderUnavailable(message.reason, { isLasting: message.isLasting });
        } else onAnswer(message);
      });
      void exited.then(() => reject(ended));
    });
  } finally {
    clearTimeout(tooSlow);
  }

  async function close(): Promise<void> {
    ended ??= new EmbedderUnavailable('The embedder is closed.');
    refuseAll(ended);
    send({ kind: 'close' });
    const tooLong = setTimeout(() => child.kill('SIGKILL'), closeMs);
    await exited;
    clearTimeout(tooLong);
  }

  async function embed(job: Omit<EmbedJob, 'id'>, signal: AbortSignal): Promise<readonly Meaning[]> {
    if (ended !== undefined) throw ended;
    signal.throwIfAborted();
    lastId += 1;
    const id = lastId;
    let giveUp = () => {};
    const answer = new Promise<readonly Meaning[]>((resolve, reject) => {
      // It stays in hand until the process has confirmed: one that is hung is noticed though nobody waits any more.
      giveUp = () => {
        send({ kind: 'drop', id });
        reject(signal.reason);
      };
      waiting.set(id, { resolve, reject });
    });
    signal.addEventListener('abort', giveUp);
    send({ kind: 'embed', id, ...job });
    if (waiting.size === 1) watchSilence();
    return answer.finally(() => signal.removeEventListener('abort', giveUp));
  }

  return { embed, close: () => (closing ??= close()) };
}
