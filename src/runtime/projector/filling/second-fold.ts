import type { RecordedEvent } from '../../../kernel/event.ts';
import type { Change, Document, Equals, Projection } from '../../../kernel/projection.ts';
import { type DocumentPart, isInPart } from './document-part.ts';
import { matches } from '../fold-batch.ts';

/** A part of the documents of a read model, folded in memory from the beginning of the log. */
export interface SecondFold {
  readonly fold: (event: RecordedEvent) => void;
  /** Each document as JSON, by its id. */
  readonly texts: ReadonlyMap<string, string>;
  /** Of all texts, about. */
  readonly bytes: () => number;
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

/**
 * Kept as texts: they take a third of what documents take, are what a store would keep, and of most documents nothing is
 * loaded again.
 */
export function createSecondFold(projection: Projection, part: DocumentPart): SecondFold {
  const texts = new Map<string, string>();
  const leadingFields = (projection.patchIndexes ?? []).map((index) => projection.indexes[index]![0]!);
  const indexes = [...new Set(leadingFields)].map(createFieldIndex);
  let bytes = 0;

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
    const text = JSON.stringify(doc);
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
        if (isInPart(projection, part, change.doc.id)) put(change.doc);
        return;
      case 'delete':
        return remove(change.id);
      case 'patchWhere':
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
      // Most of the log is of other parts: their events are not even parsed.
      if (entry.changesOnlyLoaded && !ids.some((id) => isInPart(projection, part, id))) return;
      const loaded = new Map<string, Document>();
      for (const id of ids) {
        const doc = docOf(id);
        if (doc !== undefined) loaded.set(id, doc);
      }
      for (const change of entry.fold(loaded, event)) apply(change);
    },
    texts,
    bytes: () => bytes,
  };
}
