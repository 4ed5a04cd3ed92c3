import type { Equals, IndexFields } from '../kernel/projection.ts';

/** Declared indexes of one read model or collection; `owner` is what messages call it. */
export interface OwnedIndexes {
  readonly owner: string;
  readonly indexes: Readonly<Record<string, IndexFields>>;
}

const fieldPattern = /^[A-Za-z][A-Za-z0-9_]*$/;

function checkFields(owner: string, index: string, fields: IndexFields): void {
  const wrong = fields.find((field) => !fieldPattern.test(field));
  if (wrong !== undefined)
    throw new Error(`index ${index} of ${owner}: ${wrong} cannot be the name of an indexed field`);
  if (fields.length === 0) throw new Error(`index ${index} of ${owner} names no field`);
  if (fields.includes('id'))
    throw new Error(`index ${index} of ${owner}: the id is always the last part, leave it out`);
  if (new Set(fields).size !== fields.length) throw new Error(`index ${index} of ${owner} names a field twice`);
}

/** Every field that some index needs, each once. Refuses what some store could not have as an index. */
export function checkedIndexFields({ owner, indexes }: OwnedIndexes): string[] {
  for (const [index, fields] of Object.entries(indexes)) checkFields(owner, index, fields);
  return [...new Set(Object.values(indexes).flat())];
}

export function fieldsOfIndex({ owner, indexes }: OwnedIndexes, index: string): IndexFields {
  const fields = Object.hasOwn(indexes, index) ? indexes[index] : undefined;
  if (!fields) throw new Error(`${owner} has no index ${index}`);
  return fields;
}

/** The fields that a query fixes, in the order of the index; refuses a filter that is not a leading part of it. */
export function fixedFields(
  declared: OwnedIndexes,
  { index, equals }: { readonly index: string; readonly equals: Equals },
): readonly string[] {
  const fields = fieldsOfIndex(declared, index);
  const asked = Object.keys(equals);
  const leading = fields.slice(0, asked.length);
  if (asked.length > fields.length || !leading.every((field) => Object.hasOwn(equals, field))) {
    throw new Error(
      `index ${index} of ${declared.owner} is (${fields.join(', ')}): ` +
        `(${asked.join(', ')}) is not a leading part of it`,
    );
  }
  return leading;
}

/** What is told of a value that no index can hold. */
export const refusedKey = (value: unknown, where: string): Error => {
  const held = value === undefined ? 'nothing' : `${String(value)} (${typeof value})`;
  return new Error(`${where} holds ${held}: an index takes strings, finite numbers and null`);
};

export const checkedLimit = (limit: number): number => {
  if (!Number.isSafeInteger(limit) || limit < 0) throw new Error(`a limit is a whole number from 0 on, not ${limit}`);
  return limit;
};
