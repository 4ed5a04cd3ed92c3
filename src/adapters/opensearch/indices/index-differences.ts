import { isDeepStrictEqual } from 'node:util';
import type { IndexDefinition, IndexDefinitions } from './index-definitions.ts';

/** As the server tells of an index. */
export interface StoredIndex {
  readonly mappings: {
    readonly properties?: Readonly<Record<string, StoredField>>;
    readonly [name: string]: unknown;
  };
  /** By flat names, all values as texts. */
  readonly settings: Readonly<Record<string, string>>;
}

interface StoredField {
  readonly properties?: { readonly vector?: { readonly dimension?: number } };
}

/** How many copies there are is the operator's. */
const ownersSettings = new Set(['index.auto_expand_replicas']);

const flatSettings = (settings: object, path = ''): [string, string][] =>
  Object.entries(settings).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null
      ? flatSettings(value, `${path}${name}.`)
      : [[`${path}${name}`, String(value)] as [string, string]],
  );

/** The server tells some plain values as texts. */
const isSame = (stored: unknown, ours: unknown): boolean =>
  typeof ours === 'object' ? isDeepStrictEqual(stored, ours) : String(stored) === String(ours);

const isVectorsField = (name: string): boolean => name.startsWith('near_');

const fieldsThatDiffer = (stored: StoredIndex, { mappings }: IndexDefinition, vectors: IndexDefinitions['vectors']) => {
  const ours = (mappings['properties'] ?? {}) as Readonly<Record<string, unknown>>;
  const theirs = stored.mappings.properties ?? {};
  const names = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
  return [...names].filter((name) => {
    const field = theirs[name];
    const expected = isVectorsField(name) ? vectors(field?.properties?.vector?.dimension ?? 0) : ours[name];
    return !isDeepStrictEqual(field, expected);
  });
};

/** The fields, mappings and settings of an index that are not as ours. */
export function indexDifferences(
  stored: StoredIndex,
  definition: IndexDefinition,
  vectors: IndexDefinitions['vectors'],
): string[] {
  const mappings = Object.entries(definition.mappings).filter(
    ([name, value]) => name !== 'properties' && !isSame(stored.mappings[name], value),
  );
  const settings = flatSettings(definition.settings).filter(
    ([name, value]) => !ownersSettings.has(name) && stored.settings[name] !== value,
  );
  return [...fieldsThatDiffer(stored, definition, vectors), ...[...mappings, ...settings].map(([name]) => name)];
}
