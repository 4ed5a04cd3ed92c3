import type { DomainEvent, RecordedEvent } from './event.ts';

/** What an index may hold. Nulls sort below numbers, numbers below strings, strings by their UTF-8 bytes. */
export type KeyValue = string | number | null;

/** A type, not an interface: then a document is also a record, whose fields an index can name. */
export type Document = { readonly id: string };

/**
 * An index is a list of top-level fields of the document; the id is always its last part. A query fixes the first
 * fields and runs through the others in order, forwards or backwards.
 */
export type IndexFields = readonly string[];

export interface ReadModelDeclaration {
  readonly name: string;
  /** Raise it when a fold or an index changes: the new generation is filled beside the old. */
  readonly generation: number;
  readonly indexes: Readonly<Record<string, IndexFields>>;
}

export type Equals = Readonly<Record<string, KeyValue>>;

export type Change<Doc extends Document> =
  | { readonly kind: 'put'; readonly doc: Doc }
  | { readonly kind: 'delete'; readonly id: string }
  | { readonly kind: 'patchWhere'; readonly index: string; readonly equals: Equals; readonly set: Partial<Doc> }
  | { readonly kind: 'deleteWhere'; readonly index: string; readonly equals: Equals };

export const put = <Doc extends Document>(doc: Doc): Change<Doc> => ({ kind: 'put', doc });
export const remove = (id: string): Change<never> => ({ kind: 'delete', id });
export const patchWhere = <Doc extends Document>(index: string, equals: Equals, set: Partial<Doc>): Change<Doc> => ({
  kind: 'patchWhere',
  index,
  equals,
  set,
});
export const deleteWhere = (index: string, equals: Equals): Change<never> => ({ kind: 'deleteWhere', index, equals });

/** The documents that an entry asked for, by id; one that does not exist is absent. */
export type Loaded<Doc extends Document> = ReadonlyMap<string, Doc>;

// Methods, not properties: so an entry fits into a table for any event, and a projection into a list of any documents.
export interface FoldEntry<Doc extends Document, E extends DomainEvent> {
  /** Ids of the documents the fold needs; they follow from the event alone. */
  load(event: RecordedEvent<E>): readonly string[];
  fold(docs: Loaded<Doc>, event: RecordedEvent<E>): readonly Change<Doc>[];
  /** The fold changes none but those: who wants others need not call it. */
  readonly changesOnlyLoaded?: true;
  /** The fold looks at none of those: they need not be loaded for it. */
  readonly readsNothing?: true;
}

// Each entry knows its own event; the table as a whole is looked up by type.
export type FoldTable<Doc extends Document, E extends DomainEvent> = {
  readonly [Type in E['type']]?: FoldEntry<Doc, Extract<E, { type: Type }>>;
};

export interface Projection<Doc extends Document = Document> extends ReadModelDeclaration {
  /** Indexes that `patchWhere` and `deleteWhere` go by; a rebuild needs them from the start. */
  readonly patchIndexes?: readonly string[];
  /**
   * Documents that a fold makes of one another share a group, by their ids alone: a part of a read model can be folded
   * without the rest where whole groups are left out. Each document is a group of its own when absent.
   */
  readonly groupOf?: (id: string) => string;
  /** No fold reads a document: none is loaded, and those found by an index are only deleted. So a digest can stand for it. */
  readonly readsNoDocument?: true;
  readonly on: Readonly<Record<string, FoldEntry<Doc, DomainEvent> | undefined>>;
}

/** A read model as pure folds over documents: no clock, no random, no increments in the store. */
export const defineProjection = <Doc extends Document, E extends DomainEvent>(
  projection: ReadModelDeclaration &
    Pick<Projection, 'patchIndexes' | 'groupOf' | 'readsNoDocument'> & { readonly on: FoldTable<Doc, E> },
): Projection<Doc> => projection;

/** An entry over the document of the event's own stream: a document is put, null deletes, undefined leaves alone. */
export const one = <Doc extends Document, E extends DomainEvent>(
  fold: (doc: Doc | undefined, event: RecordedEvent<E>) => Doc | null | undefined,
): FoldEntry<Doc, E> => ({
  load: (event) => [event.stream.id],
  changesOnlyLoaded: true,
  fold: (docs, event) => {
    const before = docs.get(event.stream.id);
    const after = fold(before, event);
    if (after === undefined || after === before) return [];
    return after === null ? [remove(event.stream.id)] : [put(after)];
  },
});

/** Deletes the document of the event's stream, if there is one: it is not read for that. */
export const removesOne = <Doc extends Document, E extends DomainEvent>(): FoldEntry<Doc, E> => ({
  load: (event) => [event.stream.id],
  changesOnlyLoaded: true,
  readsNothing: true,
  fold: (_, event) => [remove(event.stream.id)],
});

/** Makes the document of the event's stream, whatever was there before: nothing is read for that. */
export const makesOne = <Doc extends Document, E extends DomainEvent>(
  make: (event: RecordedEvent<E>) => Doc | undefined,
): FoldEntry<Doc, E> => ({
  load: (event) => [event.stream.id],
  changesOnlyLoaded: true,
  readsNothing: true,
  fold: (_, event) => {
    const made = make(event);
    return made === undefined ? [] : [put(made)];
  },
});
