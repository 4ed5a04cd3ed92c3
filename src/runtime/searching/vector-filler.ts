import { sourceProjection } from '../../../projections/source/source.ts';
import type { Mutex } from '../../concurrency/mutex.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { Lease } from '../../ports/leases.ts';
import type { ReadModelSet } from '../../ports/read-models.ts';
import {
  type EntryVector,
  type HeldTexts,
  type LeftTexts,
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
import { holderOf, type LoadTexts, type TextsToEmbed } from './texts-to-embed.ts';

/** Who turns texts into vectors. */
export interface FillingEmbedders {
  readonly best: Embedder;
  /** Of the same space and much faster; null where there is none. */
  readonly quick: Embedder | null;
  /** The best is a lesser model than is wanted, in whose place it stands: vectors of that one are not made anew. */
  readonly isFallback?: boolean;
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
  /** Texts of these sources get vectors. Told before the documents have them: afterwards nobody would come back to tell it. */
  readonly onFilled: (sourceIds: ReadonlySet<string>) => Promise<void>;
  /** Documents were written. */
  readonly onWritten?: () => Promise<void>;
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

const hashesOf = ({ entries }: TextsToEmbed): string[] => entries.map(({ textHash }) => textHash);

/** A chunk does not know what else its file is made of. */
const leftTexts = (kind: SearchKind, id: string, present: readonly string[], former: readonly string[]): LeftTexts => ({
  holder: holderOf(kind, id),
  formerHashes: former.filter((hash) => !present.includes(hash)),
  textHashes: kind === 'chunk' ? null : present,
});

const byHash = (texts: Iterable<TextsToEmbed>): Map<string, EntryText> =>
  new Map([...texts].flatMap(({ entries }) => entries.map((entry) => [entry.textHash, entry] as const)));

/** Nothing was made of a text that means nothing to the model; that is known from then on, too. */
const noMeaning = new Float32Array(0);

/**
 * Gives the documents of an index their vectors: first by the quick model, so that all can be found by meaning soon, then by
 * the best. A text whose vector is known is not embedded again, whatever index it stands in.
 */
export function createVectorFiller(deps: VectorFillerDeps): VectorFiller {
  const { index, vectors, embedders, lease, alone, clock, onFilled, onWritten } = deps;
  const { best, quick, isFallback = false } = embedders;
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

  /** Of the best model where they are known, else of this one. */
  async function vectorsOf(embedder: Embedder, entries: ReadonlyMap<string, EntryText>, over: AbortSignal) {
    const known = new Map(await vectors.get(best.model, [...entries.keys()]));
    const made = await embed(embedder, without(entries, known), over);
    return { known, made };
  }

  /** Those that are to be found by the same texts still: what was made of another text may have been erased meanwhile. */
  async function unchanged(models: ReadModelSet, kind: SearchKind, texts: TextsById): Promise<TextsById> {
    const now = await textsOf[kind](models, [...texts.keys()]);
    const isSame = (id: string, own: TextsToEmbed): boolean => {
      const current = now.get(id);
      return current !== undefined && hashesOf(current).join() === hashesOf(own).join();
    };
    return new Map([...texts].filter(([id, own]) => isSame(id, own)));
  }

  /** Nothing is told of a source that was purged meanwhile. */
  async function ofPresentSources(models: ReadModelSet, texts: TextsById): Promise<TextsById> {
    const sourceIds = new Set([...texts.values()].map(({ sourceId }) => sourceId));
    const sources = sourceIds.size === 0 ? [] : await models.of(sourceProjection).get([...sourceIds]);
    const present = new Set(sources.map(({ id }) => id));
    return new Map([...texts].filter(([, { sourceId }]) => present.has(sourceId)));
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

  /** Who has lost the lease meanwhile, or cannot tell, does not know what was erased since: nothing of it may stay. */
  async function keepVectors(held: readonly HeldTexts[], kept: readonly EntryVector[]): Promise<void> {
    await vectors.hold(held);
    if (kept.length > 0) await vectors.put(best.model, kept);
    let isStillHolder = false;
    try {
      isStillHolder = await index.leases.renew(lease, feedLeaseTtlMs);
    } finally {
      const undone = held.map(({ holder, textHashes }) => ({ holder, textHashes: null, formerHashes: textHashes }));
      if (!isStillHolder) await vectors.forget(undone);
    }
    if (!isStillHolder) throw new LeaseLost('search');
  }

  /**
   * The index last: a document that has its vectors waits for nothing any more, so that nobody would come back to what was
   * still to be done for it. Whoever is killed before that leaves vectors that their document holds, and that go with it.
   */
  async function save(kind: SearchKind, waiting: Waiting, texts: TextsById, making: Made): Promise<void> {
    const { known, made, by } = making;
    const areKept = (textHash: string): boolean => by === best || known.has(textHash);
    const held = [...texts].flatMap(([id, own]): HeldTexts[] => {
      const textHashes = hashesOf(own).filter(areKept);
      return textHashes.length === 0 ? [] : [{ holder: holderOf(kind, id), textHashes }];
    });
    if (held.length > 0) {
      const present = byHash(texts.values());
      const fresh = by === best ? [...made].filter(([textHash]) => present.has(textHash)) : [];
      await keepVectors(
        held,
        fresh.map(([textHash, vector]) => ({ textHash, vector })),
      );
    }
    const before = await index.textHashesOf(kind, [...texts.keys()]);
    const left = [...texts].map(([id, own]) => leftTexts(kind, id, hashesOf(own), before.get(id) ?? []));
    if (left.length > 0) await vectors.forget(left);
    const embedded = [...texts.values()].filter(({ entries }) => entries.length > 0);
    await onFilled(new Set(embedded.map(({ sourceId }) => sourceId)));
    await write(kind, waiting, texts, making);
  }

  /** How long the embedding took; null while there are no read models to fill from. */
  async function fill(kind: SearchKind, waiting: Waiting, by: Embedder, over: AbortSignal): Promise<number | null> {
    const models = await deps.models();
    if (models === null) return null;
    const ids = waiting.map(({ id }) => id);
    const texts = await textsOf[kind](models, ids);
    const beganMs = clock.nowMs();
    const making = { ...(await vectorsOf(by, byHash(texts.values()), over)), by };
    const tookMs = clock.nowMs() - beganMs;
    const isSaved = await alone.run(async () => {
      const current = await deps.models();
      if (current === null) return false;
      // Where nothing is kept of what was made, an erased text leaves nothing: its document does not take its vectors.
      const keeps = by === best || making.known.size > 0;
      const still = keeps ? await unchanged(current, kind, texts) : await ofPresentSources(current, texts);
      await save(kind, waiting, still, making);
      return true;
    });
    await onWritten?.();
    return isSaved ? tookMs : null;
  }

  /** The next that wait for vectors, from where the last look ended; when there are none, it begins anew the next time. */
  async function next(kind: SearchKind, wanted: WantedVectors, limit: number): Promise<Waiting> {
    const key = `${kind} ${wanted.model ?? ''}`;
    const waiting = await index.withoutVectors(kind, wanted, places.get(key) ?? start, limit);
    places.set(key, waiting.at(-1) ?? start);
    return waiting;
  }

  const passes = [
    ...(quick === null ? [] : [{ by: quick, wanted: { space: best.space }, atOnce: atOnceMin }]),
    { by: best, wanted: { space: best.space, ...(isFallback ? {} : { model: best.model }) }, atOnce: atOnceMin },
  ];

  return {
    step: async (over) => {
      for (const pass of passes) {
        for (const kind of searchKinds) {
          const waiting = await next(kind, pass.wanted, pass.atOnce);
          if (waiting.length === 0) continue;
          const tookMs = await fill(kind, waiting, pass.by, over);
          if (tookMs === null) return null;
          const isQuick = tookMs < stepMs;
          pass.atOnce = Math.max(
            atOnceMin,
            Math.min(atOnceMax, isQuick ? pass.atOnce * 2 : Math.floor(pass.atOnce / 2)),
          );
          const { position } = waiting.at(-1)!;
          return { model: pass.by.model, kind, documents: waiting.length, position };
        }
      }
      return null;
    },
  };
}
