import type { Lease, Leases } from './leases.ts';

/** Releases, pieces of changelog files, and sources as a whole. Each kind has an index of its own. */
export const searchKinds = ['release', 'chunk', 'source'] as const;
export type SearchKind = (typeof searchKinds)[number];

/** What words are looked for in, the weightiest first. */
export interface SearchTexts {
  /** Of the release, or the heading of the chunk; with its version. */
  readonly title: string;
  /** What its source, product and org are called, and the packages of the source. */
  readonly names: string;
  readonly body: string;
}

/** Holds only what is its own: what follows from its source is a set of sources, decided when it is read. */
export interface SearchDocument {
  readonly id: string;
  readonly sourceId: string;
  readonly texts: SearchTexts;
  readonly publishedMs: number | null;
  /** Only covers another release. */
  readonly isCoverage: boolean;
  /** Its text says nothing: searches leave it out, which feeds do not. */
  readonly isBare: boolean;
  /** Of the texts that its vectors were made of before, if it had some: whoever takes them away has to know them. */
  readonly textHashes: readonly string[];
}

/** One vector of one entry of a document, as it is stored and compared. */
export interface EntryVector {
  /** Of the text that it was made of. */
  readonly textHash: string;
  /** Empty when the text means nothing to the model: then only its hash is kept. */
  readonly vector: Float32Array;
}

/** `index` says which of the kinds it is about. */
export type SearchChange =
  | { readonly kind: 'put'; readonly index: SearchKind; readonly position: number; readonly doc: SearchDocument }
  | { readonly kind: 'delete'; readonly index: SearchKind; readonly position: number; readonly id: string }
  /**
   * The vectors of a document's entries, all of them. Left out when the document is not there, or is there by another
   * position: its text is another one then. A put takes the vectors away that were there.
   */
  | {
      readonly kind: 'vectors';
      readonly index: SearchKind;
      readonly position: number;
      readonly id: string;
      readonly space: string;
      /** Which made them: those of a lesser model are made again. */
      readonly model: string;
      readonly entries: readonly EntryVector[];
    };

export interface SearchFilter {
  readonly sources: { readonly in: ReadonlySet<string> } | { readonly notIn: ReadonlySet<string> };
  /** Both inclusive; a bound leaves out what has no date, unless `keepsUndated`. */
  readonly fromMs?: number;
  readonly toMs?: number;
  readonly keepsUndated?: boolean;
  readonly withCoverage: boolean;
  /** Absent: what says nothing is left out. */
  readonly withBare?: boolean;
  /** Documents that are left out. */
  readonly except?: ReadonlySet<string>;
}

/**
 * Every token is required, whatever its case (`src/search/words` says how a text is cut). Where `isPrefix`, the last
 * characters of a token may be missing, if at least two are there: fewer begin nearly every text.
 */
export interface WantedWords {
  /** As they were typed, split at blanks. */
  readonly tokens: readonly string[];
  readonly isPrefix: boolean;
  /** Where each of them may stand; in any of the texts when absent. */
  readonly fields?: readonly (keyof SearchTexts)[];
}

export type SearchList = {
  readonly kind: SearchKind;
  readonly filter: SearchFilter;
  readonly limit: number;
} & (
  | {
      readonly words: WantedWords;
      /** For who has an order of their own. Nothing is ranked then, which for beginnings of words is most of the work. */
      readonly inAnyOrder?: boolean;
    }
  /** To any of these, one at least: a document is as near as the nearest of them is to one of its entries. */
  | { readonly near: readonly Float32Array[]; readonly space: string }
);

export interface SearchHit {
  readonly id: string;
  /** Of words: larger is better, and says nothing beside other lists. Of vectors: the cosine of the two that are nearest. */
  readonly score: number;
}

/**
 * One list of hits for each that was asked for, the best first, each document once. Of those that words rank alike the newest
 * comes first, then what has no date, each by id: that is how they are shown, so that a longer list begins as a shorter one.
 * A list in any order has none of that but each document once.
 */
export type SearchAnswer = readonly { readonly hits: readonly SearchHit[] }[];

/** The vectors of this index cannot be read now, though its words can. */
export class VectorsUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'VectorsUnavailable';
  }
}

/** Neither the words nor the vectors of this index can be read now. One that is on a server throws BackendUnavailable instead. */
export class IndexUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'IndexUnavailable';
  }
}

/** This generation was dropped since it was opened, because another one took its place: what lives has to be opened anew. */
export class GenerationDropped extends Error {
  constructor() {
    super('This generation of the search index was dropped.');
    this.name = 'GenerationDropped';
  }
}

/** Whose vectors are missing: all that are not of the space, or, with a model, not by that one. */
export interface WantedVectors {
  readonly space: string;
  readonly model?: string;
}

/** One generation of the index of all kinds. */
export interface SearchIndex {
  /**
   * All of them in one round trip, as of one moment. Throws VectorsUnavailable, that nothing of it can be read, or, as whatever
   * else requests ask, GenerationDropped.
   */
  readonly search: (lists: readonly SearchList[]) => Promise<SearchAnswer>;
  /** Which of these have all the words: for feeds, which have an order of their own. */
  readonly matching: (kind: SearchKind, ids: readonly string[], words: WantedWords) => Promise<ReadonlySet<string>>;
  /** The vectors of a space that a document has now, for what is related to it; none while it waits for them. */
  readonly vectorsOf: (kind: SearchKind, id: string, space: string) => Promise<readonly Float32Array[]>;
  /** What the vectors of these documents were made of, since the last ones were written; nothing of those without. */
  readonly textHashesOf: (kind: SearchKind, ids: readonly string[]) => Promise<ReadonlyMap<string, readonly string[]>>;
  /** The documents of a source, by id; also those that this one has written and not settled. */
  readonly idsOfSource: (kind: SearchKind, sourceId: string, afterId: string, limit: number) => Promise<string[]>;
  /** Applied in order, with the checkpoint; an older position loses against what is there. */
  readonly write: (write: SearchWrite) => Promise<SearchWriteOutcome>;
  /** Documents whose vectors were not written yet, in the order of their positions; what this one has written counts, as above. */
  readonly withoutVectors: (
    kind: SearchKind,
    wanted: WantedVectors,
    after: { readonly position: number; readonly id: string },
    limit: number,
  ) => Promise<readonly { readonly id: string; readonly position: number }[]>;
  readonly checkpoint: () => Promise<number>;
  readonly count: (kind: SearchKind) => Promise<number>;
  /** What was written until now is found from here on. */
  readonly settle: () => Promise<void>;
  /** What was deleted or overwritten is in none of its files any more, as far as the store can. */
  readonly scrub: () => Promise<void>;
  readonly leases: Leases;
  /** Whether somebody holds this lease now. A look alone: it keeps nobody from taking it. */
  readonly isLeased: (name: string) => Promise<boolean>;
}

/** Of all kinds together: they follow the same events, and have one checkpoint. */
export interface SearchWrite {
  readonly changes: readonly SearchChange[];
  /** The new checkpoint: the last event seen. Null for vectors, which follow no event. */
  readonly position: number | null;
  readonly lease: Lease;
}

/**
 * `stale_lease`: another holder took over. `behind`: the checkpoint is at or past the position. `too_large`: more than
 * `searchWriteMax` in more than one change. None of them writes.
 */
export type SearchWriteOutcome = 'written' | 'stale_lease' | 'behind' | 'too_large';

/** So that a write holds up nobody for long: neither the thread that hands it over, nor other writers. */
export const searchWriteMax = { changes: 1_000, bytes: 8 * 1024 * 1024 };

/** Of the texts and vectors in it, roughly; the rest is small beside them. */
export const searchChangeBytes = (change: SearchChange): number => {
  if (change.kind === 'delete') return 0;
  if (change.kind === 'vectors') return change.entries.reduce((sum, { vector }) => sum + vector.byteLength, 0);
  const { title, names, body } = change.doc.texts;
  return title.length + names.length + body.length;
};

export interface SearchIndexes {
  /** Creates the generation when it is not there. Throws that nothing of it can be read. */
  readonly open: (generation: number) => Promise<SearchIndex>;
  readonly pointer: () => Promise<number | null>;
  /** Refused (false) when another one is live than the expected one, or that generation is not there. */
  readonly switchPointer: (expected: number | null, generation: number) => Promise<boolean>;
  readonly generations: () => Promise<number[]>;
  /** The live one is left alone. */
  readonly drop: (generation: number) => Promise<void>;
  /** The registry whose events these were made of; null as long as nobody has said so. */
  readonly identity: () => Promise<string | null>;
  /** Once; throws when they belong to another one. */
  readonly setIdentity: (registryId: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Texts that something is made of: a release, a source, a changelog file. */
export interface HeldTexts {
  readonly holder: string;
  readonly textHashes: readonly string[];
}

/** Texts that something was made of. */
export interface LeftTexts {
  readonly holder: string;
  readonly formerHashes: readonly string[];
  /** All that it is made of now: whatever else the store knows of is left, too. Null where only the former ones are. */
  readonly textHashes: readonly string[] | null;
}

/** Vectors by what they were made of: unchanged text is never embedded again, not even by a rebuild. */
export interface VectorStore {
  /** Those that are known. */
  readonly get: (model: string, textHashes: readonly string[]) => Promise<ReadonlyMap<string, Float32Array>>;
  /** Each is of a text that is held already: whoever is killed in between leaves nothing that nobody forgets. */
  readonly put: (model: string, vectors: readonly EntryVector[]) => Promise<void>;
  /** Notes that these are made of these texts, too. */
  readonly hold: (held: readonly HeldTexts[]) => Promise<void>;
  /** Forgets the vectors of texts that these are not made of any more, unless something else is. */
  readonly forget: (left: readonly LeftTexts[]) => Promise<void>;
  readonly close: () => Promise<void>;
}
