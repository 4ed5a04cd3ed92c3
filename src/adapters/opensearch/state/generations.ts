import { searchKinds } from '../../../ports/search-index.ts';
import { longAnswerMs, type OpenSearchConnection } from '../connection.ts';
import { RefusedByOpenSearch } from '../failures.ts';
import { type GenerationState, generationStateId, newGenerationState } from './generation-state.ts';
import type { IndexDefinition, IndexDefinitions } from '../indices/index-definitions.ts';
import { type Incarnation, type IndexNames, writeAliasOf } from '../names.ts';
import { createStoredState } from './stored-state.ts';

/** Which generations there are and which one is live, in one document: a drop and a switch meet each other there. */
interface Catalogue {
  readonly pointer: number | null;
  /** The switch that was made last: who did not hear of it finds it here. */
  readonly lastSwitch: string | null;
  readonly generations: readonly Incarnation[];
  /** Dropped, but perhaps not all of it gone yet. */
  readonly leaving: readonly Incarnation[];
}

const emptyCatalogue: Catalogue = { pointer: null, lastSwitch: null, generations: [], leaving: [] };
const catalogueId = 'catalogue';

export interface GenerationsOptions {
  readonly connection: OpenSearchConnection;
  readonly names: IndexNames;
  readonly definitions: IndexDefinitions;
  /** Small letters and digits. */
  readonly newId: () => string;
}

/**
 * Those of them that are not there. Whoever would make an index to find out that it is there is refused while disks are full,
 * though nothing has to be made.
 */
async function missingIndexes({ ask }: OpenSearchConnection, indexes: readonly string[]): Promise<string[]> {
  const { body } = await ask<Readonly<Record<string, unknown>>>({
    what: 'tell which indexes are there',
    method: 'GET',
    path: `/${indexes.join(',')}/_settings/index.uuid`,
    query: { ignore_unavailable: true },
    timeoutMs: longAnswerMs,
  });
  return indexes.filter((name) => !(name in body));
}

/** Nothing where another made it meanwhile. */
async function makeIndex(
  { ask }: OpenSearchConnection,
  name: string,
  definition: IndexDefinition & { readonly aliases?: object },
): Promise<void> {
  try {
    await ask({
      what: `make the index ${name}`,
      method: 'PUT',
      path: `/${name}`,
      body: definition,
      timeoutMs: longAnswerMs,
    });
  } catch (error) {
    const isThere = error instanceof RefusedByOpenSearch && error.type === 'resource_already_exists_exception';
    if (!isThere) throw error;
  }
}

export function createGenerations({ connection, names, definitions, newId }: GenerationsOptions) {
  const { ask } = connection;
  const state = createStoredState(connection, names.state);
  const read = async (): Promise<Catalogue> => (await state.read<Catalogue>(catalogueId)) ?? emptyCatalogue;
  const change = async (decide: (before: Catalogue) => Catalogue | null): Promise<Catalogue> =>
    (await state.change<Catalogue>(catalogueId, (found) => decide(found ?? emptyCatalogue))) ?? emptyCatalogue;

  const isSame = (a: Incarnation, b: Incarnation): boolean => a.incarnation === b.incarnation;
  const has = ({ generations }: Catalogue, one: Incarnation): boolean =>
    generations.some((other) => isSame(one, other));

  const makeDocuments = async (missing: readonly string[]): Promise<void> => {
    const make = (name: string) =>
      makeIndex(connection, name, { ...definitions.documents, aliases: { [writeAliasOf(name)]: {} } });
    await Promise.all(missing.map(make));
  };

  /** The state goes first, so that nobody begins a write any more. */
  const finishDrop = async (of: Incarnation): Promise<void> => {
    await state.remove(generationStateId(of.incarnation));
    const path = `/${names.allDocuments(of).join(',')}`;
    const query = { ignore_unavailable: true };
    const what = 'delete the indexes of a generation';
    await ask({ what, method: 'DELETE', path, query, accepts: [404], timeoutMs: longAnswerMs });
    await change((before) => ({ ...before, leaving: before.leaving.filter((one) => !isSame(one, of)) }));
  };

  const findOrAdd = async (generation: number): Promise<Incarnation> => {
    const made = { generation, incarnation: newId() };
    const isIt = (one: Incarnation) => one.generation === generation;
    const { generations } = await change((before) =>
      before.generations.some(isIt) ? null : { ...before, generations: [...before.generations, made] },
    );
    return generations.find(isIt)!;
  };

  /**
   * What is left of it could never be told from a whole one: another takes its place under its number, at position 0, and is filled
   * from there. It is another incarnation, so that whoever feeds or searches the old one, also in other processes, finds it dropped.
   */
  const replace = async (lost: Incarnation): Promise<void> => {
    const anew = { generation: lost.generation, incarnation: newId() };
    await change((before) => {
      if (!has(before, lost)) return null;
      const generations = before.generations.map((one) => (isSame(one, lost) ? anew : one));
      return { ...before, generations, leaving: [...before.leaving, lost] };
    });
    await finishDrop(lost);
  };

  /** Humans read by it, so that a moment without it does no harm. */
  const moveAliases = async (live: Incarnation): Promise<void> => {
    const actions = searchKinds.flatMap((kind) => [
      { remove: { index: `${names.alias(kind)}-g*`, alias: names.alias(kind), must_exist: false } },
      { add: { index: names.documents(live, kind), alias: names.alias(kind) } },
    ]);
    await ask({
      what: 'move the aliases',
      method: 'POST',
      path: '/_aliases',
      body: { actions },
      timeoutMs: longAnswerMs,
    });
  };

  return {
    state,
    read,
    makeState: async (): Promise<void> => {
      for (const name of await missingIndexes(connection, [names.state])) {
        await makeIndex(connection, name, definitions.state);
      }
    },
    moveAliases,
    open: async (generation: number): Promise<Incarnation> => {
      for (const one of (await read()).leaving) await finishDrop(one); // whoever began it was killed, perhaps
      for (;;) {
        const found = await findOrAdd(generation);
        const known = await state.change<GenerationState>(generationStateId(found.incarnation), (before) =>
          before === null ? newGenerationState : null,
        );
        const missing = await missingIndexes(connection, names.allDocuments(found));
        if (missing.length > 0 && known!.checkpoint > 0) {
          await replace(found);
          continue;
        }
        await makeDocuments(missing);
        if (has(await read(), found)) return found;
        await finishDrop(found); // it was dropped meanwhile, perhaps before the last of these was made
      }
    },
    switchPointer: async (expected: number | null, generation: number): Promise<Incarnation | null> => {
      const mine = newId();
      const now = await change((before) => {
        const isThere = before.generations.some((one) => one.generation === generation);
        if (before.lastSwitch === mine || before.pointer !== expected || !isThere) return null;
        return { ...before, pointer: generation, lastSwitch: mine };
      });
      if (now.lastSwitch !== mine) return null;
      return now.generations.find((one) => one.generation === generation) ?? null;
    },
    drop: async (generation: number): Promise<void> => {
      const now = await change((before) => {
        const found = before.generations.find((one) => one.generation === generation);
        if (found === undefined || before.pointer === generation) return null;
        return {
          ...before,
          generations: before.generations.filter((one) => one !== found),
          leaving: [...before.leaving, found],
        };
      });
      for (const one of now.leaving) await finishDrop(one);
    },
  };
}

export type Generations = ReturnType<typeof createGenerations>;
