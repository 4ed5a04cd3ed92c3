import type { RecordedEvent } from '../../../kernel/event.ts';
import type { Change, Document, Equals, Projection } from '../../../kernel/projection.ts';
import { digestOf } from './document-sample.ts';
import { type HeldDocuments, isInShare } from './document-share.ts';
import { matches } from '../fold-batch.ts';

/** A share of the documents of a read model, folded in memory from the beginning of the log. */
export interface SecondFold extends HeldDocuments {
  readonly fold: (event: RecordedEvent) => void;
  readonly ids: () => Iterable<string>;
  /** Of the document as JSON. */
  readonly digestOf: (id: string) => string | undefined;
}

type Fields = Document & Readonly<Record<string, unknown>>;

/** Ids by what their documents hold in one field: a change by an index looks at these only. */
function createFieldIndex(field: string) {
  const ids = new Map<unknown, Set<string>>();
  const at = (doc: Fields) => ids.get(doc[field]);
  return {
    field,
    find: (value: unknown): readonly string[] => [...(ids.get(value) ?? [])],
    add: (doc: Fields) => void (at(doc)?.add(doc.id) ?? ids.set(doc[field], new Set([doc.id]))),
    remove: (doc: Fields) => {
      at(doc)?.delete(doc.id);
      if (at(doc)?.size === 0) ids.delete(doc[field]);
    },
  };
}

/** Stands for a document that no fold reads: as much of it as an index finds it by. */
type Stub = Fields & { readonly digest: string };

/** About what a stub takes. */
const stubBytes = 200;

/** What a fold keeps of a document that has this JSON. */
export const bytesHeldOf = ({ readsNoDocument }: Projection, text: string): number =>
  readsNoDocument ? Math.min(stubBytes, text.length) : text.length;

/**
 * Kept as texts: they take a third of what documents take, are what a store would keep, and of most documents nothing is
 * loaded again. A digest stands for one that no fold reads.
 */
export function createSecondFold(projection: Projection, firstShare: number): SecondFold {
  let share = firstShare;
  const texts = new Map<string, string>();
  const patchFields = (projection.patchIndexes ?? []).map((index) => projection.indexes[index]!);
  const indexes = [...new Set(patchFields.map((fields) => fields[0]!))].map(createFieldIndex);
  const stubFields = [...new Set(patchFields.flat())];
  let bytes = 0;

  const refused = () => new Error(`${projection.name} reads documents, though it declares that it does not`);

  const stubOf = (doc: Fields, text: string): Stub => ({
    ...Object.fromEntries(stubFields.map((field) => [field, doc[field]])),
    id: doc.id,
    digest: digestOf(text),
  });

  const docOf = (id: string): Fields | undefined => {
    const text = texts.get(id);
    return text === undefined ? undefined : (JSON.parse(text) as Fields);
  };

  const remove = (id: string): void => {
    bytes -= texts.get(id)?.length ?? 0;
    if (indexes.length > 0 && texts.has(id)) for (const index of indexes) index.remove(docOf(id)!);
    texts.delete(id);
  };

  const put = (doc: Document): void => {
    remove(doc.id);
    const whole = JSON.stringify(doc);
    const text = projection.readsNoDocument ? JSON.stringify(stubOf(doc, whole)) : whole;
    texts.set(doc.id, text);
    bytes += text.length;
    for (const index of indexes) index.add(doc);
  };

  const found = (equals: Equals): Fields[] => {
    const index = indexes.find(({ field }) => Object.hasOwn(equals, field));
    const ids = index === undefined ? [...texts.keys()] : index.find(equals[index.field]);
    return ids.map((id) => docOf(id)!).filter((doc) => matches(doc, equals));
  };

  const apply = (change: Change<Document>): void => {
    switch (change.kind) {
      case 'put':
        if (isInShare(projection, share, change.doc.id)) put(change.doc);
        return;
      case 'delete':
        return remove(change.id);
      case 'patchWhere':
        if (projection.readsNoDocument) throw refused();
        for (const doc of found(change.equals)) put({ ...doc, ...change.set });
        return;
      case 'deleteWhere':
        for (const { id } of found(change.equals)) remove(id);
    }
  };

  return {
    fold: (event) => {
      const entry = projection.on[event.type];
      if (entry === undefined) return;
      const ids = entry.load(event);
      // Of a small share most of the log is of others: their events are not even parsed.
      if (entry.changesOnlyLoaded && !ids.some((id) => isInShare(projection, share, id))) return;
      if (projection.readsNoDocument && ids.length > 0) throw refused();
      const loaded = new Map<string, Document>();
      for (const id of entry.readsNothing ? [] : ids) {
        const doc = docOf(id);
        if (doc !== undefined) loaded.set(id, doc);
      }
      for (const change of entry.fold(loaded, event)) apply(change);
    },
    share: () => share,
    bytes: () => bytes,
    halve: () => {
      share /= 2;
      for (const id of texts.keys()) if (!isInShare(projection, share, id)) remove(id);
    },
    ids: () => texts.keys(),
    digestOf: (id) => {
      const text = texts.get(id);
      if (text === undefined) return undefined;
      return projection.readsNoDocument ? (JSON.parse(text) as Stub).digest : digestOf(text);
    },
  };
}
