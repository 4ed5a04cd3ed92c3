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
  /** Of the same space, and never away: it embeds queries while the embedder cannot be started. */
  readonly standIn?: Embedder;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly log: Log;
}

export interface GuardedEmbedder extends Embedder {
  /** Why another one embeds queries in its place; null while none does. */
  readonly replacedBecause: () => string | null;
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

type OutageKind = 'mild' | 'misconfigured' | 'replaced';

const sentenceOf = (kind: OutageKind, manner: Manner): string => {
  if (kind === 'misconfigured') {
    return 'texts cannot be embedded with these settings; searches find by words alone until they are changed';
  }
  if (kind === 'replaced') {
    return 'the model cannot be started; a lesser one embeds queries, and searches by meaning find less meanwhile';
  }
  return manner === 'query'
    ? 'texts cannot be embedded; searches find by words alone meanwhile'
    : 'many texts cannot be embedded at once; searches by meaning do not find what is new meanwhile';
};

const otherManner: Readonly<Record<Manner, Manner>> = { query: 'fill', fill: 'query' };

const backSentences: Readonly<Record<Manner, string>> = {
  query: 'texts can be embedded again',
  fill: 'many texts can be embedded at once again',
};

const endMs = ({ sinceMs, pauseMs, askedMs }: Outage): number => sinceMs + Math.max(pauseMs, askedMs);

/**
 * After a failure nobody waits for the embedder: calls are refused at once until its pause is over, then one at a time tries
 * again, and each that fails doubles the pause. Queries and fills try apart, for a fill may take long, and what only fills meet
 * does not keep queries from being answered. What a query cannot get is not asked for by a fill either. An embedder that cannot
 * be started fails for both: where another one stands in for it, queries are answered by that, and try again beside it.
 */
export function createEmbedderBreaker({ embedder, standIn, clock, log }: BreakerDeps): GuardedEmbedder {
  const outages: Record<Manner, Outage | null> = { query: null, fill: null };
  const lines = { query: createOutageLines(clock), fill: createOutageLines(clock) };
  /** What the log was told and not taken back yet. */
  const told: Record<Manner, Set<OutageKind>> = { query: new Set(), fill: new Set() };
  const trying = new Set<Manner>();

  /** A clock that was set back must not make the pause longer. */
  const isPaused = (outage: Outage): boolean => {
    const nowMs = clock.nowMs();
    return nowMs >= outage.sinceMs && nowMs < endMs(outage);
  };
  const isReplaced = (reason: EmbedderUnavailable): boolean => reason.cannotStart && standIn !== undefined;
  const kindOf = (reason: EmbedderUnavailable): OutageKind => {
    if (isReplaced(reason)) return 'replaced';
    return reason.isMisconfigured ? 'misconfigured' : 'mild';
  };
  /** Queries that fail say all that there is to say of fills, too. */
  const isTold = (manner: Manner, kind: OutageKind): boolean =>
    [told[manner], told.query].some((known) => known.has(kind) || known.has('misconfigured'));
  const tell = (manner: Manner, reason: EmbedderUnavailable): void => {
    lines[manner].noteFailure();
    const kind = kindOf(reason);
    if (isTold(manner, kind)) return;
    told[manner].add(kind);
    const tellAs = kind === 'misconfigured' ? log.error : log.warn;
    tellAs(sentenceOf(kind, manner), { model: embedder.model, reason: reason.message });
  };
  const noteFailure = (manner: Manner, reason: EmbedderUnavailable, tried: Outage | null): void => {
    if (outages[manner] !== tried) return; // of an outage that is known, or over, already
    const askedMs = Math.min(reason.retryAfterMs ?? 0, askedPauseMsMax);
    const outage = { reason, sinceMs: clock.nowMs(), pauseMs: nextPauseMs(reason, tried), askedMs };
    outages[manner] = outage;
    const other = otherManner[manner];
    const known = outages[other];
    const isLonger = known === null || endMs(known) <= endMs(outage);
    if (isReplaced(reason) || (manner === 'query' && isLonger)) outages[other] = outage;
    tell(isReplaced(reason) ? 'query' : manner, reason);
  };
  const noteSuccess = (manner: Manner, tried: Outage | null): void => {
    if (outages[manner] !== tried) return; // what was asked before it failed
    outages[manner] = null;
    const other = otherManner[manner];
    const isOfBoth = tried !== null && (manner === 'query' || isReplaced(tried.reason));
    if (isOfBoth && outages[other] === tried) outages[other] = null;
    if (!lines[manner].noteAnswer() || told[manner].size === 0) return;
    told[manner].clear();
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

  async function guarded(manner: Manner, texts: readonly string[], options?: EmbedOptions): Promise<Meaning[]> {
    const outage = outages[manner];
    if (outage === null) return attempt(manner, texts, options);
    if (isPaused(outage) || trying.has(manner)) {
      throw new EmbedderUnavailable('The embedder failed a moment ago.', { cause: outage.reason });
    }
    trying.add(manner);
    return attempt(manner, texts, options).finally(() => trying.delete(manner));
  }

  const replacingOutage = (): Outage | null =>
    outages.query !== null && isReplaced(outages.query.reason) ? outages.query : null;

  /** Nobody waits for an embedder that does not start, but each query may find that it does. */
  async function embedQuery(texts: readonly string[], options?: EmbedOptions): Promise<Meaning[]> {
    const isKnown = replacingOutage() !== null;
    const asked = guarded('query', texts, isKnown ? { isQuery: true } : options);
    if (isKnown) {
      asked.catch((error: unknown) => {
        if (!(error instanceof EmbedderUnavailable)) log.error('a query could not be embedded', { error });
      });
      return standIn!.embed(texts, options);
    }
    return asked.catch((error: unknown) => {
      const isOfOutage = error instanceof EmbedderUnavailable && replacingOutage() !== null;
      if (!isOfOutage) throw error;
      return standIn!.embed(texts, options);
    });
  }

  return {
    ...embedder,
    embed: async (texts, options) => {
      if (texts.length === 0) return []; // which says nothing about the embedder
      return options?.isQuery === true ? embedQuery(texts, options) : guarded('fill', texts, options);
    },
    replacedBecause: () => replacingOutage()?.reason.message ?? null,
  };
}
