import type { Mutex } from '../../concurrency/mutex.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { Lease } from '../../ports/leases.ts';
import type { ReadModelSet } from '../../ports/read-models.ts';
import {
  type EntryVector,
  type SearchIndex,
  type SearchKind,
  searchKinds,
  type VectorStore,
  type WantedVectors,
} from '../../ports/search-index.ts';
import type { EntryText } from '../../search/entries/entry-text.ts';
import { createChangeWriter } from './change-writer.ts';
import { LeaseLost } from '../resilience/held-leases.ts';
import { feedLeaseTtlMs } from './feed-lease.ts';
import { chunkTextsToEmbed } from './chunk-documents.ts';
import { releaseTextsToEmbed } from './release-documents.ts';
import { sourceTextsToEmbed } from './source-documents.ts';
import type { LoadTexts, TextsToEmbed } from './texts-to-embed.ts';

/** Who turns texts into vectors. */
export interface FillingEmbedders {
  readonly best: Embedder;
  /** Of the same space and much faster; null where there is none. */
  readonly quick: Embedder | null;
}

export interface VectorFillerDeps {
  readonly models: () => Promise<ReadModelSet | null>;
  readonly index: SearchIndex;
  readonly vectors: VectorStore;
  readonly embedders: FillingEmbedders;
  readonly lease: Lease;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Nobody takes documents away while it writes what was made of them. */
  readonly alone: Mutex;
  /** Documents were written, and texts of these sources got vectors. */
  readonly onFilled: (sourceIds: ReadonlySet<string>) => Promise<void>;
}

const textsOf: Readonly<Record<SearchKind, LoadTexts>> = {
  release: releaseTextsToEmbed,
  chunk: chunkTextsToEmbed,
  source: sourceTextsToEmbed,
};

type Waiting = Awaited<ReturnType<SearchIndex['withoutVectors']>>;

/** Where a walk over what waits is: what comes later has higher positions. */
type Place = Waiting[number];
const start: Place = { position: 0, id: '' };

/**
 * Documents of a step: as many as are embedded in about so long, so that what was made is kept soon. What the index takes to be
 * written does not count: on a server each write costs much the same, and small ones would only make it slower.
 */
const atOnceMin = 8;
const atOnceMax = 200;
const stepMs = 500;

type TextsById = ReadonlyMap<string, TextsToEmbed>;

interface Made {
  /** Of the best model, from before. */
  readonly known: ReadonlyMap<string, Float32Array>;
  readonly made: ReadonlyMap<string, Float32Array>;
  readonly by: Embedder;
}

interface Pass {
  readonly by: Embedder;
  readonly wanted: WantedVectors;
  /** Documents of the next step. */
  atOnce: number;
}

interface Turn {
  readonly pass: Pass;
  readonly kind: SearchKind;
}

type Nothing = 'nothing waits' | 'no read models';

/** Documents with what was made of their texts, which is to be written. */
interface Prepared {
  readonly turn: Turn;
  readonly waiting: Waiting;
  readonly texts: TextsById;
  readonly making: Made;
}

/** Which documents were looked at, up to what position of the log. */
export interface FilledStep {
  readonly model: string;
  readonly kind: SearchKind;
  readonly documents: number;
  readonly position: number;
}

export interface VectorFiller {
  /** Fills the next documents that wait; null when none does, or there are no read models to fill from. */
  readonly step: (over: AbortSignal) => Promise<FilledStep | null>;
}

const byHash = (texts: Iterable<TextsToEmbed>): Map<string, EntryText> =>
  new Map([...texts].flatMap(({ entries }) => entries.map((entry) => [entry.textHash, entry] as const)));

/** Nothing was made of a text that means nothing to the model; that is known from then on, too. */
const noMeaning = new Float32Array(0);

/**
 * Gives the documents of an index their vectors: first by the quick model, so that all can be found by meaning soon, then by
 * the best. A text whose vector is known is not embedded again, whatever index it stands in.
 */
export function createVectorFiller(deps: VectorFillerDeps): VectorFiller {
  const { index, vectors, embedders, lease, alone, clock, onFilled } = deps;
  const { best, quick } = embedders;
  const places = new Map<string, Place>();

  async function embed(
    embedder: Embedder,
    entries: ReadonlyMap<string, EntryText>,
    over: AbortSignal,
  ): Promise<Map<string, Float32Array>> {
    const wanted = [...entries.values()];
    const made =
      wanted.length === 0
        ? []
        : await embedder.embed(
            wanted.map(({ text }) => text),
            { signal: over },
          );
    return new Map(wanted.map(({ textHash }, at) => [textHash, made[at] ?? noMeaning]));
  }

  const without = <Value>(all: ReadonlyMap<string, Value>, known: ReadonlyMap<string, unknown>): Map<string, Value> =>
    new Map([...all].filter(([hash]) => !known.has(hash)));

  /** Of the best model where they are known, else of this one. What it has just made may not be kept yet. */
  async function vectorsOf(
    embedder: Embedder,
    entries: ReadonlyMap<string, EntryText>,
    { justMade, over }: { readonly justMade: ReadonlyMap<string, Float32Array>; readonly over: AbortSignal },
  ) {
    const known = new Map(await vectors.get(best.model, [...entries.keys()]));
    const unknown = without(entries, known);
    const made = await embed(embedder, without(unknown, justMade), over);
    for (const textHash of unknown.keys()) made.set(textHash, made.get(textHash) ?? justMade.get(textHash)!);
    return { known, made };
  }

  /** Those documents that took them: one that was changed or deleted meanwhile did not. */
  async function accepted(kind: SearchKind, texts: ReadonlyMap<string, TextsToEmbed>): Promise<TextsById> {
    const stored = await index.textHashesOf(kind, [...texts.keys()]);
    const isSame = (id: string, { entries }: TextsToEmbed): boolean =>
      (stored.get(id) ?? []).join() === entries.map(({ textHash }) => textHash).join();
    return new Map([...texts].filter(([id, own]) => isSame(id, own)));
  }

  async function write(kind: SearchKind, waiting: Waiting, texts: TextsById, { known, made, by }: Made): Promise<void> {
    const writer = createChangeWriter(index, lease);
    for (const { id, position } of waiting) {
      const { entries } = texts.get(id) ?? {};
      if (entries === undefined) continue;
      const isBest = entries.every(({ textHash }) => by === best || known.has(textHash));
      const { space, model } = isBest ? best : by;
      const own = entries.map(({ textHash }): EntryVector => {
        return { textHash, vector: known.get(textHash) ?? made.get(textHash) ?? noMeaning };
      });
      await writer.add({ kind: 'vectors', index: kind, position, id, space, model, entries: own });
    }
    await writer.finish(null);
  }

  /** Who has lost the lease meanwhile does not know what was erased since: nothing of it may stay. */
  async function keepVectors(kept: readonly EntryVector[]): Promise<void> {
    await vectors.put(best.model, kept);
    if (await index.leases.renew(lease, feedLeaseTtlMs)) return;
    await vectors.forget(kept.map(({ textHash }) => textHash));
    throw new LeaseLost('search');
  }

  /**
   * The index first: once a document has taken its vectors, it is known what they were made of, and they are forgotten with
   * it. Those of an earlier text of it are forgotten now.
   */
  async function save(kind: SearchKind, waiting: Waiting, texts: TextsById, making: Made): Promise<TextsById> {
    const before = await index.textHashesOf(kind, [...texts.keys()]);
    await write(kind, waiting, texts, making);
    const taken = await accepted(kind, texts);
    const present = byHash(taken.values());
    if (making.by === best) {
      const fresh = [...making.made].filter(([textHash]) => present.has(textHash));
      const kept = fresh.map(([textHash, vector]) => ({ textHash, vector }));
      if (kept.length > 0) await keepVectors(kept);
    }
    const left = [...before].flatMap(([id, hashes]) => (taken.has(id) ? hashes : []));
    const forgotten = left.filter((hash) => !present.has(hash));
    if (forgotten.length > 0) await vectors.forget(forgotten);
    return taken;
  }

  /** The next that wait for vectors, from where the last look ended; when there are none, it begins anew the next time. */
  async function next(kind: SearchKind, wanted: WantedVectors, limit: number): Promise<Waiting> {
    const key = `${kind} ${wanted.model ?? ''}`;
    const waiting = await index.withoutVectors(kind, wanted, places.get(key) ?? start, limit);
    places.set(key, waiting.at(-1) ?? start);
    return waiting;
  }

  const passes: readonly Pass[] = [
    ...(quick === null ? [] : [{ by: quick, wanted: { space: best.space }, atOnce: atOnceMin }]),
    { by: best, wanted: { space: best.space, model: best.model }, atOnce: atOnceMin },
  ];

  /** What waits is looked for in this order, again and again. */
  const turns: readonly Turn[] = passes.flatMap((pass) => searchKinds.map((kind) => ({ pass, kind })));

  async function prepareTurn(
    { pass, kind }: Turn,
    over: AbortSignal,
    last?: Prepared,
  ): Promise<Omit<Prepared, 'turn'> | Nothing> {
    const limit = pass.atOnce;
    const beingWritten = new Set(last?.turn.kind === kind ? last.waiting.map(({ id }) => id) : []);
    const waiting = (await next(kind, pass.wanted, limit)).filter(({ id }) => !beingWritten.has(id));
    if (waiting.length === 0) return 'nothing waits';
    const models = await deps.models();
    if (models === null) return 'no read models';
    const ids = waiting.map(({ id }) => id);
    const texts = await textsOf[kind](models, ids);
    const beganMs = clock.nowMs();
    const justMade = last?.making.by === pass.by ? last.making.made : new Map<string, Float32Array>();
    const making = { ...(await vectorsOf(pass.by, byHash(texts.values()), { justMade, over })), by: pass.by };
    const isQuick = clock.nowMs() - beganMs < stepMs;
    pass.atOnce = Math.max(atOnceMin, Math.min(atOnceMax, isQuick ? limit * 2 : Math.floor(limit / 2)));
    return { waiting, texts, making };
  }

  /** The first that wait, in some turns; while the last are written, if there are any. */
  async function prepare(among: readonly Turn[], over: AbortSignal, last?: Prepared): Promise<Prepared | null> {
    for (const turn of among) {
      const prepared = await prepareTurn(turn, over, last);
      if (prepared === 'no read models') return null;
      if (prepared !== 'nothing waits') return { turn, ...prepared };
    }
    return null;
  }

  async function finish({ turn, waiting, texts, making }: Prepared): Promise<void> {
    const taken = await alone.run(() => save(turn.kind, waiting, texts, making));
    const embedded = [...taken.values()].filter(({ entries }) => entries.length > 0);
    await onFilled(new Set(embedded.map(({ sourceId }) => sourceId)));
  }

  let ahead: Prepared | null = null;

  return {
    step: async (over) => {
      const prepared = ahead ?? (await prepare(turns, over));
      ahead = null;
      if (prepared === null) return null;
      const { turn, waiting } = prepared;
      // Another thread writes, so that the next vectors can be made meanwhile. None of a later turn: that what is written now
      // still waits for the best model, too, is known only then.
      const untilThis = turns.slice(0, turns.indexOf(turn) + 1);
      const [finished, following] = await Promise.allSettled([finish(prepared), prepare(untilThis, over, prepared)]);
      if (following.status === 'fulfilled') ahead = following.value; // also where the last could not be written
      if (finished.status === 'rejected') throw finished.reason;
      if (following.status === 'rejected') throw following.reason;
      const { position } = waiting.at(-1)!;
      return { model: turn.pass.by.model, kind: turn.kind, documents: waiting.length, position };
    },
  };
}
