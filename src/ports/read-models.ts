import type { Change, Document, Equals, KeyValue, Projection, ReadModelDeclaration } from '../kernel/projection.ts';
import type { Lease, Leases } from './leases.ts';

/** One fixed field value per leading field of the index, then a run through the rest in order. */
export interface IndexQuery {
  readonly index: string;
  readonly equals: Equals;
  readonly direction?: 'ascending' | 'descending';
  /** Bounds, both inclusive, on the first field of the index that is not fixed. */
  readonly from?: KeyValue;
  readonly to?: KeyValue;
  /** Keyset: the values of the fields that are not fixed, then the id, of the last row seen. Exclusive. */
  readonly after?: readonly KeyValue[];
  readonly limit: number;
}

/** A change and the position of the event that made it; it loses against a document of a later position. */
export type PositionedChange<Doc extends Document> = Change<Doc> & { readonly position: number };

export interface ReadModelWrite<Doc extends Document> {
  /** Applied in order. */
  readonly changes: readonly PositionedChange<Doc>[];
  /** The new checkpoint: the last event seen. */
  readonly position: number;
  readonly lease: Lease;
}

/**
 * `stale_lease`: another holder took over. `behind`: the checkpoint is at or past the position. `too_large`: the store does
 * not take so much at once. None of them writes.
 */
export type WriteOutcome = 'written' | 'stale_lease' | 'behind' | 'too_large';

/** A write of one of several read models. */
export interface NamedWrite extends ReadModelWrite<Document> {
  readonly name: string;
  readonly generation: number;
}

/** A document as it is now, or null when it was deleted; `position` is that of its last change. */
export interface ChangedDocument<Doc extends Document> {
  readonly id: string;
  readonly doc: Doc | null;
  readonly position: number;
}

/** In the order of changes: by position, then by id. */
export interface ChangePlace {
  readonly position: number;
  readonly id: string;
}

/** Behind all that was written at a position, and before the first of the next. */
export const placeBehind = (position: number): ChangePlace => ({ position: position + 1, id: '' });

/** Where a text lies; only its store can tell what is behind it. */
export type TextPlace = string | number;

export interface StoredText {
  readonly id: string;
  readonly text: string;
  readonly place: TextPlace;
}

/** One generation of one read model. */
export interface ReadModel<Doc extends Document = Document> {
  readonly declaration: ReadModelDeclaration;
  /** The documents that exist, in no particular order. */
  readonly get: (ids: readonly string[]) => Promise<Doc[]>;
  /** Refuses an index that is not declared, or a filter that is not a leading part of it. */
  readonly query: (query: IndexQuery) => Promise<Doc[]>;
  /** Every document after that id, in the order of ids: for verification and export. */
  readonly scan: (afterId: string, limit: number) => Promise<{ doc: Doc; position: number }[]>;
  /**
   * Every document as what `JSON.stringify` makes of it, in the order in which the store reads them fastest: for who compares
   * texts, and while nobody writes.
   */
  readonly scanTexts: (after: TextPlace | null, limit: number) => Promise<StoredText[]>;
  /**
   * Every document, some at a time and in no order, with turns for others in between. One that is written meanwhile is
   * told as it was or as it is; `changedAfter` a checkpoint that was read before tells it again.
   */
  readonly readAll: (onPage: (docs: readonly Doc[]) => void) => Promise<void>;
  /** What changed past the given place, in order: for followers. */
  readonly changedAfter: (after: ChangePlace, limit: number) => Promise<ChangedDocument<Doc>[]>;
  // A method, not a property: so a list can hold read models of any documents.
  /** Documents, checkpoint and lease check are one transaction. */
  write(write: ReadModelWrite<Doc>): Promise<WriteOutcome>;
  readonly checkpoint: () => Promise<number>;
  /** Leases that guard the writes of this generation; they live beside it. */
  readonly leases: Leases;
  /**
   * Builds the indexes that were left out while filling, one after the other; before each it waits for `mayBegin`. What was
   * deleted until then is gone from files, as by `scrub`.
   */
  readonly completeIndexes: (mayBegin?: () => Promise<void>) => Promise<void>;
}

/** Read models as of one moment, each by the projection that it is made by. */
export interface ReadModelSet {
  readonly of: <Doc extends Document>(projection: Projection<Doc>) => ReadModel<Doc>;
}

export interface OpenOptions {
  /** Only these indexes are kept while the generation is filled; `completeIndexes` adds the others. */
  readonly fillingWith?: readonly string[];
}

export interface PointerSwitch {
  readonly name: string;
  /** The generation that is live until now; null when none is. */
  readonly expected: number | null;
  readonly generation: number;
  /** Of whoever filled it: what was dropped and made anew under the same number does not know it. */
  readonly lease?: Lease;
}

export interface PassOver {
  readonly name: string;
  readonly generation: number;
  /** Its checkpoint until now. */
  readonly from: number;
  readonly position: number;
}

/**
 * `changed`: another generation is live than the expected one. `gone`: the one to switch to is not there, is just being
 * dropped, or does not know the lease.
 */
export interface RefusedSwitch {
  readonly name: string;
  readonly reason: 'changed' | 'gone';
}

export interface ReadModels {
  /** Creates the generation when it is not there. */
  readonly open: <Doc extends Document>(
    declaration: ReadModelDeclaration,
    options?: OpenOptions,
  ) => Promise<ReadModel<Doc>>;
  /** The live generation of each read model that has one. */
  readonly pointers: () => Promise<Readonly<Record<string, number>>>;
  /** One write for all of them; answers the first that is refused, and then none is switched. */
  readonly switchPointers: (switches: readonly PointerSwitch[]) => Promise<RefusedSwitch | null>;
  /**
   * Moves checkpoints past events that concern none of these: one write for all of them, and no lease, because it is true
   * of the log whoever says it. One that is no longer where it was stays there. Answers how many moved.
   */
  readonly passOver: (moves: readonly PassOver[]) => Promise<number>;
  /**
   * Writes all of these, which were opened here, or none: false when one of them cannot be written so, or they are too much
   * together. Null where each read model has a file of its own, and nothing would be saved.
   */
  readonly writeTogether: ((writes: readonly NamedWrite[]) => Promise<boolean>) | null;
  readonly generations: (name: string) => Promise<number[]>;
  /** Those that were live, are no longer, and are still there. One that was never live is being filled, or will be. */
  readonly pastGenerations: (name: string) => Promise<number[]>;
  /** The live one is left alone. Nobody can switch to one while it is dropped. */
  readonly drop: (name: string, generation: number) => Promise<void>;
  /**
   * Drops one that is not live and whose leases have all run out that long ago, by the store's clock. False, and nothing
   * dropped, for any other; also for one that nobody ever had a lease of: it has no documents.
   */
  readonly dropAbandoned: (name: string, generation: number, idleMs: number) => Promise<boolean>;
  /**
   * Makes sure that what was deleted or overwritten in the generations that are open here is in none of their files any
   * more, as far as the store can.
   */
  readonly scrub: () => Promise<void>;
  /** The identity of the event store these read models were built from; null before it is set. */
  readonly identity: () => Promise<string | null>;
  readonly setIdentity: (registryId: string) => Promise<void>;
  readonly close: () => Promise<void>;
}
