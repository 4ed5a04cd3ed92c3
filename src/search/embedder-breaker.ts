import type { Clock } from '../ports/clock.ts';
import { type Embedder, EmbedderUnavailable, type EmbedOptions, type Meaning } from '../ports/embedder.ts';
import type { Log } from '../ports/log.ts';
import { createOutageLines } from './outage-lines.ts';

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

/** A query is one short text that somebody waits for; a fill is many at once, and may fail or be limited by itself. */
type Manner = 'query' | 'fill';

const mildSentences: Readonly<Record<Manner, string>> = {
  query: 'texts cannot be embedded; searches find by words alone meanwhile',
  fill: 'many texts cannot be embedded at once; searches by meaning do not find what is new meanwhile',
};

const backSentences: Readonly<Record<Manner, string>> = {
  query: 'texts can be embedded again',
  fill: 'many texts can be embedded at once again',
};

const endMs = ({ sinceMs, pauseMs, askedMs }: Outage): number => sinceMs + Math.max(pauseMs, askedMs);

/**
 * After a failure nobody waits for the embedder: calls are refused at once until its pause is over, then one at a time tries
 * again, and each that fails doubles the pause. Queries and fills try apart, for a fill may take long, and what only fills meet
 * does not keep queries from being answered. What a query cannot get is not asked for by a fill either.
 */
export function createEmbedderBreaker({ embedder, clock, log }: BreakerDeps): Embedder {
  const outages: Record<Manner, Outage | null> = { query: null, fill: null };
  const lines = { query: createOutageLines(clock), fill: createOutageLines(clock) };
  /** What the log was told and not taken back yet. */
  const told = new Map<Manner, 'mild' | 'misconfigured'>();
  const trying = new Set<Manner>();

  /** A clock that was set back must not make the pause longer. */
  const isPaused = (outage: Outage): boolean => {
    const nowMs = clock.nowMs();
    return nowMs >= outage.sinceMs && nowMs < endMs(outage);
  };
  /** Queries that fail say all that there is to say of fills, too. */
  const isTold = (manner: Manner, as: 'mild' | 'misconfigured'): boolean =>
    [told.get(manner), told.get('query')].some((known) => known === as || known === 'misconfigured');
  const tell = (manner: Manner, reason: EmbedderUnavailable): void => {
    lines[manner].noteFailure();
    const as = reason.isMisconfigured ? 'misconfigured' : 'mild';
    if (isTold(manner, as)) return;
    told.set(manner, as);
    const notes = { model: embedder.model, reason: reason.message };
    if (as === 'mild') log.warn(mildSentences[manner], notes);
    else {
      log.error(
        'texts cannot be embedded with these settings; searches find by words alone until they are changed',
        notes,
      );
    }
  };
  const noteFailure = (manner: Manner, reason: EmbedderUnavailable, tried: Outage | null): void => {
    if (outages[manner] !== tried) return; // of an outage that is known, or over, already
    const askedMs = Math.min(reason.retryAfterMs ?? 0, askedPauseMsMax);
    const outage = { reason, sinceMs: clock.nowMs(), pauseMs: nextPauseMs(reason, tried), askedMs };
    outages[manner] = outage;
    const { fill } = outages;
    if (manner === 'query' && (fill === null || endMs(fill) <= endMs(outage))) outages.fill = outage;
    tell(manner, reason);
  };
  const noteSuccess = (manner: Manner, tried: Outage | null): void => {
    if (outages[manner] !== tried) return; // what was asked before it failed
    outages[manner] = null;
    if (manner === 'query' && outages.fill === tried) outages.fill = null;
    if (!lines[manner].noteAnswer() || !told.delete(manner)) return;
    log.info(backSentences[manner], { model: embedder.model });
  };

  async function attempt(manner: Manner, texts: readonly string[], options?: EmbedOptions): Promise<Meaning[]> {
    const tried = outages[manner];
    try {
      const meanings = await embedder.embed(texts, options);
      noteSuccess(manner, tried);
      return meanings;
    } catch (error) {
      if (error instanceof EmbedderUnavailable) noteFailure(manner, error, tried);
      throw error;
    }
  }

  async function embed(texts: readonly string[], options?: EmbedOptions): Promise<Meaning[]> {
    if (texts.length === 0) return []; // which says nothing about the embedder
    const manner = options?.isQuery === true ? 'query' : 'fill';
    const outage = outages[manner];
    if (outage === null) return attempt(manner, texts, options);
    if (isPaused(outage) || trying.has(manner)) {
      throw new EmbedderUnavailable('The embedder failed a moment ago.', { cause: outage.reason });
    }
    trying.add(manner);
    return attempt(manner, texts, options).finally(() => trying.delete(manner));
  }

  return { ...embedder, embed };
}
