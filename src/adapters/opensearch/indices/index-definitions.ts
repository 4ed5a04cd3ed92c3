import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

/** `ops/indices/`, seen from the sources and from what is built of them. */
const folder = new URL(
  import.meta.url.endsWith('.ts') ? '../../../../ops/indices/' : '../../../../../ops/indices/',
  import.meta.url,
);

export interface IndexDefinition {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly mappings: Readonly<Record<string, unknown>>;
}

const readDefinition = <Definition>(name: string): Definition =>
  JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as Definition;

interface VectorsField {
  readonly type: string;
  readonly properties: { readonly vector: Readonly<Record<string, unknown>> };
}

export interface IndexDefinitions {
  /** Of the documents of each kind. */
  readonly documents: IndexDefinition;
  /** Of the pointer, the generations and their leases. */
  readonly state: IndexDefinition;
  /** The field that holds the vectors of one space, which an index gets with the first of them. */
  readonly vectors: (dimensions: number) => object;
}

export function readIndexDefinitions(): IndexDefinitions {
  const field = readDefinition<VectorsField>('vectors');
  return {
    documents: readDefinition('documents'),
    state: readDefinition('state'),
    vectors: (dimension) => ({ ...field, properties: { vector: { ...field.properties.vector, dimension } } }),
  };
}

const withoutGraph = (field: unknown): unknown =>
  JSON.parse(JSON.stringify(field ?? null, (name, value) => (name === 'parameters' ? undefined : value)));

/** Whether two fields hold the same vectors and find the same near ones, however well: their graphs may differ. */
export const isForTheSame = (stored: unknown, ours: object): boolean =>
  isDeepStrictEqual(withoutGraph(stored), withoutGraph(ours));
