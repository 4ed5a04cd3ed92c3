import { textBatches } from '../../../concurrency/text-batches.ts';
import { type Embedder, EmbedderUnavailable, type EmbedOptions, type Meaning } from '../../../ports/embedder.ts';
import type { Log } from '../../../ports/log.ts';
import { createRestartAllowance } from '../../threads/restart-allowance.ts';
import { embeddedPart } from '../embedded-part.ts';
import { inTime, queryMsMax } from '../in-time.ts';
import { miniLmSpace } from '../model-file.ts';
import { type ModelProcess, type ProcessLimits, startModelProcess } from './model-client.ts';

export interface MiniLmLimits extends ProcessLimits {
  readonly queryMs: number;
}

const usualLimits: MiniLmLimits = { startMs: 30_000, silentMs: 5_000, closeMs: 5_000, queryMs: queryMsMax };

/** What one call has in hand at a time: long texts take 30 ms each, and the process must be heard of meanwhile. */
const batchLimits = { textsMax: 8, bytesMax: 64 * 1024 };

const restartsMax = 3;
const restartWindowMs = 60_000;

export interface MiniLmOptions {
  readonly log: Log;
  readonly limits?: Partial<MiniLmLimits>;
  /** For how often the process may be started again. */
  readonly monotonicMs?: () => number;
}

/**
 * MiniLM in a process of its own. When that dies or hangs, what it had in hand is refused and the next call starts another
 * one; after three within a minute every call is refused until one of them is a minute old. So it is when the first one does
 * not start. What is refused before a process has given its first vector says so (`cannotStart`). Rejects with
 * EmbedderUnavailable when the model cannot be loaded on this machine at all.
 */
export async function openMiniLmEmbedder(options: MiniLmOptions): Promise<Embedder> {
  const { log, monotonicMs = () => performance.now() } = options;
  const limits = { ...usualLimits, ...options.limits };
  const restarts = createRestartAllowance(restartsMax, restartWindowMs);
  let current: Promise<ModelProcess> | undefined;
  let lastFailure: unknown;
  /** Of the process that was started last. */
  let hasAnswered = false;
  let closing: Promise<void> | undefined;

  const start = (): Promise<ModelProcess> => {
    const forget = (reason: unknown) => {
      lastFailure = reason;
      if (current === starting) current = undefined;
    };
    const starting = startModelProcess(limits, (reason) => {
      forget(reason);
      log.warn('the process that embeds texts ended; the next text starts another one', { reason: reason.message });
    });
    starting.catch(forget);
    current = starting;
    hasAnswered = false;
    return starting;
  };

  const runningProcess = (): Promise<ModelProcess> => {
    if (closing !== undefined) throw new EmbedderUnavailable('The embedder is closed.');
    if (current !== undefined) return current;
    if (restarts.take(monotonicMs())) return start();
    const sentence = `The process that embeds texts was started again ${restartsMax} times within a minute.`;
    throw new EmbedderUnavailable(sentence, { cause: lastFailure });
  };

  async function embedAll(texts: readonly string[], isQuery: boolean, signal: AbortSignal): Promise<Meaning[]> {
    const meanings: Meaning[] = [];
    for (const batch of textBatches(texts.map(embeddedPart), batchLimits)) {
      signal.throwIfAborted();
      const { embed } = await runningProcess();
      meanings.push(...(await embed({ texts: batch, isQuery }, signal)));
      hasAnswered = true;
    }
    return meanings;
  }

  async function embed(texts: readonly string[], asked: EmbedOptions = {}): Promise<Meaning[]> {
    try {
      return await inTime(asked, limits.queryMs, (signal) => embedAll(texts, asked.isQuery ?? false, signal));
    } catch (error) {
      const isUnproven = !hasAnswered && closing === undefined;
      if (!(error instanceof EmbedderUnavailable && isUnproven)) throw error;
      throw new EmbedderUnavailable(error.message, { cannotStart: true, cause: error });
    }
  }

  async function close(): Promise<void> {
    const running = await current?.catch(() => undefined); // one that could not start has ended already
    await running?.close();
  }

  try {
    await start();
  } catch (error) {
    if (!(error instanceof EmbedderUnavailable) || error.isLasting) throw error;
    log.warn('MiniLM could not be started; the next text tries again', { reason: error.message });
  }
  return {
    model: 'minilm-int8-256',
    space: miniLmSpace,
    dimensions: 256,
    embed,
    close: () => (closing ??= close()),
  };
}
