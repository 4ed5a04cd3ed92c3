import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { SearchIndex, SearchIndexes, SearchKind } from '../../ports/search-index.ts';
import { connectOpenSearch } from './connection.ts';
import { createDocumentWriter } from './document-writer.ts';
import { firstContact } from './failures.ts';
import { createGenerationState } from './state/generation-state.ts';
import { createGenerations } from './state/generations.ts';
import { readIndexDefinitions } from './indices/index-definitions.ts';
import type { OpenSearchPlace } from './indices/indices.ts';
import { createIndexNames, type Incarnation } from './names.ts';
import { newId } from './new-id.ts';
import { createSearchIndex } from './search-index.ts';
import { createStoredIdentity } from './state/stored-identity.ts';
import { createWriter } from './writer.ts';

export interface OpenSearchIndexesOptions extends OpenSearchPlace {
  readonly clock: Clock;
  readonly log?: Pick<Log, 'warn'> | undefined;
}

/** One index for each kind and generation, and one for the pointer, the checkpoints and the leases. */
export async function createOpenSearchIndexes(options: OpenSearchIndexesOptions): Promise<SearchIndexes> {
  const { urls, prefix, clock, log } = options;
  const names = createIndexNames(prefix);
  const connection = connectOpenSearch(urls);
  const definitions = readIndexDefinitions();
  const generations = createGenerations({ connection, names, definitions, newId });
  const identity = createStoredIdentity(generations.state);
  const opened = new Map<string, SearchIndex>();
  let isClosed = false;

  const requireOpen = (): void => {
    if (isClosed) throw new Error('The search indexes are closed.');
  };

  const indexOfIncarnation = (of: Incarnation): SearchIndex => {
    const state = createGenerationState(generations.state, of.incarnation);
    const indexOf = (kind: SearchKind) => names.documents(of, kind);
    const documents = createDocumentWriter({ connection, definitions, indexOf });
    const write = createWriter({ state, documents, clock, newId });
    return createSearchIndex({ connection, state, clock, indexOf, allIndexes: names.allDocuments(of), write });
  };

  try {
    await firstContact(async () => {
      await generations.makeState();
      await generations.read(); // rights on the index need not be rights on what is in it
    });
  } catch (error) {
    await connection.close();
    throw error;
  }

  return {
    open: async (generation) => {
      requireOpen();
      if (!Number.isSafeInteger(generation) || generation < 0) throw new Error(`${generation} is no generation`);
      const incarnation = await generations.open(generation);
      // One for all who open it here: its writes stand in one line.
      const index = opened.get(incarnation.incarnation) ?? indexOfIncarnation(incarnation);
      opened.set(incarnation.incarnation, index);
      await index.settle(); // what somebody has written who was killed before he could say so
      return index;
    },
    pointer: async () => {
      requireOpen();
      return (await generations.read()).pointer;
    },
    switchPointer: async (expected, generation) => {
      requireOpen();
      const live = await generations.switchPointer(expected, generation);
      if (live === null) return false;
      await generations
        .moveAliases(live)
        .catch((error: unknown) => log?.warn('The aliases of the search index were not moved.', { error }));
      return true;
    },
    generations: async () => {
      requireOpen();
      return (await generations.read()).generations.map(({ generation }) => generation).sort((a, b) => a - b);
    },
    drop: async (generation) => {
      requireOpen();
      await generations.drop(generation);
    },
    identity: async () => {
      requireOpen();
      return identity.get();
    },
    setIdentity: async (registryId) => {
      requireOpen();
      await identity.set(registryId);
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      await connection.close();
    },
  };
}
