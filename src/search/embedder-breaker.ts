import type { Clock } from '../ports/clock.ts';
import { type Embedder, EmbedderUnavailable, type EmbedOptions, type Meaning } from '../ports/embedder.ts';
import type { Log } from '../ports/log.ts';

const firstPauseMs = 1_000;
const pauseMsMax = 60_000;
/** However long an embedder asks to be left alone. */
const askedPauseMsMax = 3_600_000;

export interface BreakerDeps {
  readonly embedder: Embedder;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly log: Log;
}

interface Outage {
  readonly reason: EmbedderUnavailable;
  readonly sinceMs: number;
  readonly pauseMs: number;
  /** So long the embedder itself asked to be left alone. */
  readonly askedMs: number;
}

/** Settings that do not fit are not mended within a second. */
const nextPauseMs = (reason: EmbedderUnavailable, tried: Outage | null): number => {
  if (reason.isMisconfigured) return pauseMsMax;
  return tried === null ? firstPauseMs : Math.min(2 * tried.pauseMs, pauseMsMax);
};

/**
 * After a failure nobody waits for the embedder: calls are refused at once until its pause is over, then one at a time tries
 * again, and each that fails doubles the pause. Queries and fills try apart, for a fill may take long.
 */
export function createEmbedderBreaker({ embedder, clock, log }: BreakerDeps): Embedder {
  let outage: Outage | null = null;
  const trying = new Set<'query' | 'fill'>();

  /** A clock that was set back must not make the pause longer. */
  const isPaused = ({ sinceMs, pauseMs, askedMs }: Outage): boolean => {
    const passedMs = clock.nowMs() - sinceMs;
    return passedMs >= 0 && passedMs < Math.max(pauseMs, askedMs);
  };
  const noteFailure = (reason: EmbedderUnavailable, tried: Outage | null): void => {
    if (outage !== tried) return; // of an outage that is known, or over, already
    const askedMs = Math.min(reason.retryAfterMs ?? 0, askedPauseMsMax);
    outage = { reason, sinceMs: clock.nowMs(), pauseMs: nextPauseMs(reason, tried), askedMs };
    const notes = { model: embedder.model, reason: reason.message };
    if (reason.isMisconfigured && tried?.reason.isMisconfigured !== true) {
      log.error(
        'texts cannot be embedded with these settings; searches find by words alone until they are changed',
        notes,
      );
    } else if (tried === null) {
      log.warn('texts cannot be embedded; searches find by words alone meanwhile', notes);
    }
  };
  const noteSuccess = (tried: Outage | null): void => {
    if (tried === null || outage === null) return;
    outage = null;
    log.info('texts can be embedded again', { model: embedder.model });
  };

  async function attempt(texts: readonly string[], options?: EmbedOptions): Promise<Meaning[]> {
    const tried = outage;
    try {
      const meanings = await embedder.embed(texts, options);
      noteSuccess(tried);
      return meanings;
    } catch (error) {
      if (error instanceof EmbedderUnavailable) noteFailure(error, tried);
      throw error;
    }
  }

  async function embed(texts: readonly string[], options?: EmbedOptions): Promise<Meaning[]> {
    if (texts.length === 0) return []; // which says nothing about the embedder
    if (outage === null) return attempt(texts, options);
    const kind = options?.isQuery === true ? 'query' : 'fill';
    if (isPaused(outage) || trying.has(kind)) {
      throw new EmbedderUnavailable('The embedder failed a moment ago.', { cause: outage.reason });
    }
    trying.add(kind);
    return attempt(texts, options).finally(() => trying.delete(kind));
  }

  return { ...embedder, embed };
}
