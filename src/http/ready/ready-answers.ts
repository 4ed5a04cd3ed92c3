import { everythingTag, pendingTag } from '../../../projections/tags-of-write.ts';
import { anyWritePlaces, type Places, placeOf } from '../../concurrency/shared-memory/touched-tags.ts';
import type { Projection } from '../../kernel/projection.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RunLater } from '../../ports/run-later.ts';
import type { Encoding } from './accepted-forms.ts';
import type { ForeignWrites } from './foreign-writes.ts';
import { createKeptAnswers, keepable, type KeptAnswer, wasMadeToKeep } from './kept-answers.ts';
import { createCompressOnce, type GoodFor, type ReadyAnswer, type SentForm } from './ready-answer.ts';

/** An answer that was just made. */
export interface Filled {
  readonly answer: Omit<ReadyAnswer, 'goodFor'>;
  /** What it was made of; null where that was not noted, as of what is not kept. */
  readonly tags: Iterable<string> | null;
  /** How long it may be kept if nothing that it was made of is written. */
  readonly keptMs: number;
}

export interface Asked {
  readonly key: string;
  /** As the request wrote it; null where it has parameters that nobody knows. Only what is kept has one. */
  readonly address: () => string | null;
  /** Made of nothing that is ever written. */
  readonly isStatic: boolean;
  /** Whatever else is asked for, the next one gets what is kept. */
  readonly isPromised?: boolean;
  /** What is not kept is made for those alone who ask meanwhile: to note what it is made of would cost more than it spares. */
  readonly fill: (isKept: boolean) => Promise<Filled>;
}

export interface ReadyAnswers {
  /** What can be sent at once. */
  readonly find: (address: string) => KeptAnswer | null;
  /** Resolves when what is being made in place of the answer at this address is there, or has failed; null when nothing is. */
  readonly coming: (address: string) => Promise<void> | null;
  /** The answer that is kept, or a new one: one for all who ask at the same time. */
  readonly get: (asked: Asked) => Promise<{ readonly answer: ReadyAnswer; readonly isHit: boolean }>;
  /** The compressed form; null while it is being made of one that is kept. */
  readonly compressed: (answer: ReadyAnswer, encoding: Encoding) => Promise<SentForm | null>;
  /** Read models have passed a position of whoever asks: nothing older may be sent when this has resolved. */
  readonly passed: (reads: readonly Projection[], position: number) => Promise<void>;
  /** What was found has been sent. */
  readonly noteHit: () => void;
  readonly noteBypass: () => void;
  readonly counts: () => CacheCounts;
}

export interface CacheCounts {
  readonly hits: number;
  readonly misses: number;
  readonly bypasses: number;
  readonly evictions: number;
  readonly bytes: number;
}

/** Of what tells when the next release appears. */
const pendingPlaces = [everythingTag, pendingTag].map(placeOf);

interface Filling {
  readonly number: number;
  /** When it was begun. */
  readonly stamp: number;
  readonly epoch: number;
  /** Null when it has ended: a map holds the tables that it has outgrown, with all that stood in them, for longer than is good. */
  answer: Promise<ReadyAnswer> | null;
  /** When it has ended, however it did. */
  readonly over: Promise<void>;
}

const sweepMs = 30_000;
const dayMs = 86_400_000;

/** Numbers that count days change there. */
const nextMidnightMs = (nowMs: number): number => (Math.floor(nowMs / dayMs) + 1) * dayMs;

export function createReadyAnswers(deps: {
  readonly bytesMax: number;
  readonly stamp: () => number;
  readonly isTouchedSince: (places: Places, stamp: number) => boolean;
  /** Touches what others have written. */
  readonly foreign: ForeignWrites;
  /** When the next release appears by itself; null without one. */
  readonly nextDueMs: (nowMs: number) => Promise<number | null>;
  readonly clock: Clock;
  readonly runLater: RunLater;
}): ReadyAnswers {
  const { stamp, isTouchedSince, foreign, nextDueMs, clock, runLater } = deps;
  const fills = new Map<string, Filling>();
  let begunFills = 0;
  let epoch = 0;
  let isSweeping = false;
  let knownDue: { readonly dueMs: number | null; readonly goodFor: GoodFor } | null = null;
  const counts = { hits: 0, misses: 0, bypasses: 0 };
  const compressOnce = createCompressOnce();

  /** Whether nothing has happened that would make it another one. */
  const holds = (goodFor: GoodFor, nowMs: number): boolean =>
    nowMs >= goodFor.madeMs && // a clock that was set back makes it neither young nor good
    nowMs < goodFor.untilMs &&
    (goodFor.places.length === 0 || (goodFor.epoch === epoch && !isTouchedSince(goodFor.places, goodFor.stamp)));

  const answers = createKeptAnswers(deps.bytesMax, ({ goodFor }) => holds(goodFor, clock.nowMs()));

  const isGood = ({ goodFor }: Pick<KeptAnswer, 'goodFor'>, nowMs: number): boolean =>
    holds(goodFor, nowMs) && (goodFor.places.length === 0 || foreign.isKnown(nowMs));

  function sweepLater(): void {
    if (isSweeping) return;
    isSweeping = true;
    runLater(sweepMs, () => {
      isSweeping = false;
      answers.sweep();
      if (answers.counts().entries > 0) sweepLater();
    });
  }

  /** The same for all answers until something that lies ahead is written, or comes. */
  async function dueAfter(begun: Omit<GoodFor, 'places' | 'untilMs'>): Promise<number | null> {
    if (knownDue !== null && isGood(knownDue, begun.madeMs)) return knownDue.dueMs;
    const dueMs = await nextDueMs(begun.madeMs);
    knownDue = { dueMs, goodFor: { ...begun, places: pendingPlaces, untilMs: dueMs ?? Number.POSITIVE_INFINITY } };
    return dueMs;
  }

  async function fillNow(asked: Asked, isKept: boolean): Promise<ReadyAnswer> {
    const { key, address, isStatic, isPromised, fill } = asked;
    // What it is good for is noted first: whatever is written while it is made makes it old.
    const begun = { stamp: stamp(), epoch, madeMs: clock.nowMs() };
    // Whoever makes the answer says what is the matter; without this date it is not kept.
    const dueMs = isStatic || !isKept ? null : await dueAfter(begun).catch(() => begun.madeMs);
    const { answer, tags, keptMs } = await fill(isKept);
    const untilMs = Math.min(begun.madeMs + keptMs, nextMidnightMs(begun.madeMs), dueMs ?? Number.POSITIVE_INFINITY);
    // When the next release appears is a part of each: one that is written after the feed must make it old.
    const noted = tags === null ? anyWritePlaces : [...new Set([...[...tags].map(placeOf), ...pendingPlaces])];
    const places = isStatic ? [] : noted;
    const goodFor: GoodFor = { places, stamp: begun.stamp, epoch: begun.epoch, madeMs: begun.madeMs, untilMs };
    const { status, headers, plain, lastModified, routeNumber } = answer;
    const made: ReadyAnswer = { status, headers, plain, lastModified, routeNumber, goodFor };
    if (!isKept || status !== 200 || !holds(goodFor, clock.nowMs())) return made;
    const kept = keepable(key, made, isPromised);
    answers.put(kept, address());
    sweepLater();
    return kept;
  }

  const begin = (asked: Asked, isKept: boolean): Promise<ReadyAnswer> => {
    begunFills += 1;
    const begun = { number: begunFills, stamp: stamp(), epoch };
    const answer = fillNow(asked, isKept);
    // Why it failed is told to whoever began it.
    const end = (): void => {
      if (fills.get(asked.key) === filling) fills.delete(asked.key);
      filling.answer = null;
    };
    const filling: Filling = { ...begun, answer, over: answer.then(end, end) };
    fills.set(asked.key, filling);
    return answer;
  };

  async function get(asked: Asked): Promise<{ readonly answer: ReadyAnswer; readonly isHit: boolean }> {
    const isKept = asked.isPromised === true || answers.takesIn(asked.key);
    const isLone = !isKept && !fills.has(asked.key);
    // Away read models are no reason to fail here: whoever makes the answer says what is the matter.
    if (!isLone && !asked.isStatic && !foreign.isKnown(clock.nowMs())) await foreign.look().catch(() => undefined);
    const begunBefore = begunFills;
    for (;;) {
      const known = answers.ofKey(asked.key);
      if (known !== undefined && isGood(known, clock.nowMs())) {
        known.uses += 1;
        counts.hits += 1;
        answers.name(known, asked.address);
        return { answer: known, isHit: true };
      }
      const filling = fills.get(asked.key);
      if (filling === undefined || filling.answer === null) break;
      // What was not there for it may have been written before this one asked.
      const failed = (error: unknown): null => {
        if (filling.number > begunBefore || (filling.stamp === stamp() && filling.epoch === epoch)) throw error;
        return null;
      };
      const joined = await filling.answer.catch(failed);
      if (joined === null) continue;
      if (joined.status !== 200) break; // a redirect may say what only the other one has sent
      const isHit = holds(joined.goodFor, clock.nowMs());
      // What was begun after the question came is as new as what would be begun for it.
      if (isHit || filling.number > begunBefore) {
        counts[isHit ? 'hits' : 'misses'] += 1;
        if (wasMadeToKeep(joined)) answers.name(joined, asked.address);
        return { answer: joined, isHit };
      }
    }
    counts.misses += 1;
    return { answer: await begin(asked, isKept), isHit: false };
  }

  return {
    find: (address) => {
      const kept = answers.ofAddress(address);
      if (kept === undefined || !isGood(kept, clock.nowMs())) return null;
      kept.uses += 1;
      return kept;
    },
    coming: (address) => {
      const former = answers.ofAddress(address);
      return former === undefined ? null : (fills.get(former.key)?.over ?? null);
    },
    get,
    compressed: (answer, encoding) =>
      wasMadeToKeep(answer) ? answers.compress(answer, encoding) : compressOnce(answer, encoding),
    passed: async (reads, position) => {
      if (foreign.isOwn(reads, position)) return;
      // To find out what was written costs more than to forget nothing.
      const isFound = answers.counts().entries > 0 && (await foreign.findOut(reads, position));
      if (!isFound) epoch += 1;
    },
    noteHit: () => {
      counts.hits += 1;
    },
    noteBypass: () => {
      counts.bypasses += 1;
    },
    counts: () => {
      const { bytes, evictions } = answers.counts();
      return { ...counts, bytes, evictions };
    },
  };
}
