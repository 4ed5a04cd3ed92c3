import { expect } from 'vitest';
import type { RecordedEvent } from '../../src/kernel/event.ts';
import type { Change, Document, Equals, Projection } from '../../src/kernel/projection.ts';

export type Documents<Doc extends Document> = Map<string, Doc>;

const deepFreeze = <Value>(value: Value): Value => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
  return value;
};

const matches = (doc: Readonly<Record<string, unknown>>, equals: Equals): boolean =>
  Object.entries(equals).every(([field, value]) => doc[field] === value);

/** What a store would refuse or lose is refused here too. */
const checkDocument = (projection: Projection, doc: Document): void => {
  const values: Readonly<Record<string, unknown>> = doc;
  expect(JSON.parse(JSON.stringify(doc)), `${projection.name} ${doc.id} as JSON`).toStrictEqual(doc);
  for (const field of new Set(Object.values(projection.indexes).flat())) {
    const value = values[field];
    const isKey = value === null || typeof value === 'string' || Number.isFinite(value);
    expect(isKey, `${projection.name} ${doc.id}: ${field} as an index key, ${String(value)}`).toBe(true);
  }
};

const checkWhere = (projection: Projection, index: string, equals: Equals): void => {
  const asked = Object.keys(equals).sort();
  expect(projection.indexes[index]?.slice(0, asked.length).toSorted(), `${projection.name} by ${index}`).toEqual(asked);
  // A rebuild builds only these before it folds.
  expect(projection.patchIndexes, `${projection.name}: indexes that it patches by`).toContain(index);
};

const apply = <Doc extends Document>(docs: Documents<Doc>, projection: Projection<Doc>, change: Change<Doc>): void => {
  switch (change.kind) {
    case 'put':
      checkDocument(projection, change.doc);
      docs.set(change.doc.id, deepFreeze(change.doc));
      return;
    case 'delete':
      docs.delete(change.id);
      return;
    case 'patchWhere':
    case 'deleteWhere':
      checkWhere(projection, change.index, change.equals);
      for (const doc of [...docs.values()].filter((each) => matches(each, change.equals))) {
        if (change.kind === 'deleteWhere') docs.delete(doc.id);
        else docs.set(doc.id, deepFreeze({ ...doc, ...change.set }));
      }
  }
};

/** The documents after these events. Events and documents are frozen: a fold that changed one would throw. */
export const foldProjection = <Doc extends Document>(
  projection: Projection<Doc>,
  events: readonly RecordedEvent[],
): Documents<Doc> => {
  const docs: Documents<Doc> = new Map();
  for (const event of events) {
    const entry = projection.on[event.type];
    if (entry === undefined) continue;
    deepFreeze(event);
    const wanted = entry.load(event).flatMap((id) => docs.get(id) ?? []);
    const loaded = new Map(wanted.map((doc) => [doc.id, doc]));
    for (const change of entry.fold(loaded, event)) apply(docs, projection, change);
  }
  return docs;
};
