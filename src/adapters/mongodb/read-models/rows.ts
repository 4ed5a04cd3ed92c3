import type { AnyBulkWriteOperation } from 'mongodb';
import type { Document } from '../../../kernel/projection.ts';
import type { PositionedChange } from '../../../ports/read-models.ts';
import { type DeclaredIndexes, type StoredKeys, storedKeysOf } from '../declared-indexes.ts';
import { indexRun } from '../index-run.ts';
import { type StoredDocument, storedDocument } from '../stored-document.ts';

export interface StoredRow extends StoredDocument {
  readonly position: number;
}

export interface Tombstone {
  readonly _id: string;
  readonly position: number;
}

export const tombstoneOperations = (tombstones: readonly Tombstone[]): AnyBulkWriteOperation<Tombstone>[] =>
  tombstones.map((replacement) => ({ replaceOne: { filter: { _id: replacement._id }, replacement, upsert: true } }));

type AnyChange = PositionedChange<Document>;
type Positioned<Kind extends AnyChange['kind']> = Extract<AnyChange, { kind: Kind }>;

export type WhereChange = Positioned<'deleteWhere'> | (Positioned<'patchWhere'> & { readonly keys: StoredKeys });

/** A change as it is written: serialised, and with nothing left that could be refused. */
export type EncodedChange =
  | { readonly kind: 'put'; readonly row: StoredRow; readonly position: number }
  | Positioned<'delete'>
  | WhereChange;

export const encodeChange = (declared: DeclaredIndexes, change: AnyChange): EncodedChange => {
  switch (change.kind) {
    case 'put': {
      const { position } = change;
      return { kind: 'put', row: { ...storedDocument(declared, change.doc), position }, position };
    }
    case 'delete':
      return change;
    case 'patchWhere': {
      indexRun(declared, change); // refuses what is no index
      if (Object.hasOwn(change.set, 'id')) throw new Error(`a patch of ${declared.owner} would change the id`);
      const touched = declared.fields.filter((field) => Object.hasOwn(change.set, field));
      return { ...change, keys: storedKeysOf(declared, change.set, touched) };
    }
    case 'deleteWhere':
      indexRun(declared, change);
      return change;
  }
};
