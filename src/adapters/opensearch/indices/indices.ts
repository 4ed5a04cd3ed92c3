import { StartupError } from '../../../kernel/startup-error.ts';
import { connectOpenSearch, type OpenSearchConnection } from '../connection.ts';
import { firstContact } from '../failures.ts';
import { createGenerations } from '../state/generations.ts';
import { readIndexDefinitions } from './index-definitions.ts';
import { indexDifferences, type StoredIndex } from './index-differences.ts';
import { createIndexNames } from '../names.ts';
import { newId } from '../new-id.ts';

/** One index that the registry has, or should have. */
export interface IndexRow {
  readonly name: string;
  /** Null for the index of the pointer and the leases. */
  readonly generation: number | null;
  readonly isLive: boolean;
  readonly state: 'there' | 'missing' | 'made' | 'differs';
  /** Which of its fields and settings are not as ours. */
  readonly differences: readonly string[];
}

/** What there should be, by the pointer document; what differs and what is missing. */
export async function listIndices(connection: OpenSearchConnection, prefix: string): Promise<IndexRow[]> {
  const names = createIndexNames(prefix);
  const definitions = readIndexDefinitions();
  const generations = createGenerations({ connection, names, definitions, newId });
  const look = async (name: string): Promise<StoredIndex | undefined> => {
    const { status, body } = await connection.ask<Readonly<Record<string, StoredIndex>>>({
      what: `look at the index ${name}`,
      method: 'GET',
      path: `/${name}`,
      query: { flat_settings: true },
      accepts: [404],
    });
    return status === 404 ? undefined : body[name];
  };
  const rowOf = async (row: Pick<IndexRow, 'name' | 'generation' | 'isLive'>): Promise<IndexRow> => {
    const stored = await look(row.name);
    if (stored === undefined) return { ...row, state: 'missing', differences: [] };
    const definition = row.generation === null ? definitions.state : definitions.documents;
    const differences = indexDifferences(stored, definition, definitions.vectors);
    return { ...row, state: differences.length === 0 ? 'there' : 'differs', differences };
  };
  const { pointer, generations: known } = await generations.read();
  const documents = [...known]
    .sort((a, b) => a.generation - b.generation)
    .flatMap((one) =>
      names.allDocuments(one).map((name) => ({ name, generation: one.generation, isLive: one.generation === pointer })),
    );
  return Promise.all([{ name: names.state, generation: null, isLive: false }, ...documents].map(rowOf));
}

export interface OpenSearchPlace {
  /** `https://user:password@host:9200`, of some nodes of the cluster. */
  readonly urls: readonly string[];
  /** Begins the names of all indexes, so that several registries can share a cluster. */
  readonly prefix: string;
}

export async function lookAtIndices({ urls, prefix }: OpenSearchPlace): Promise<IndexRow[]> {
  const connection = connectOpenSearch(urls);
  try {
    return await firstContact(() => listIndices(connection, prefix));
  } finally {
    await connection.close();
  }
}

/** Makes what is missing, unless something that is there differs: then nothing is made. */
export async function ensureIndices({ urls, prefix }: OpenSearchPlace): Promise<IndexRow[]> {
  const connection = connectOpenSearch(urls);
  try {
    const before = await firstContact(() => listIndices(connection, prefix));
    const [wrong] = before.filter(({ state }) => state === 'differs');
    if (wrong !== undefined) {
      throw new StartupError(
        `The index ${wrong.name} is not as this version makes it (${wrong.differences.join(', ')}): rebuild the search ` +
          'index, or delete the index if nothing needs it.',
      );
    }
    const names = createIndexNames(prefix);
    const generations = createGenerations({ connection, names, definitions: readIndexDefinitions(), newId });
    await generations.makeState();
    const { pointer, generations: known } = await generations.read();
    for (const { generation } of known) {
      const opened = await generations.open(generation);
      if (generation === pointer) await generations.moveAliases(opened);
    }
    const there = new Set(before.filter(({ state }) => state === 'there').map(({ name }) => name));
    const after = await listIndices(connection, prefix);
    return after.map((row) => (row.state === 'there' && !there.has(row.name) ? { ...row, state: 'made' } : row));
  } finally {
    await connection.close();
  }
}
