import { createEmbeddedOperationalStore } from '../../../src/adapters/embedded/operational-store/operational-store.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import type { OperationalCollection, OperationalStore } from '../../../src/ports/operational-store.ts';
import { type FetchTurn, fetchTurnsDeclaration } from '../../../src/records/fetching/fetch-turn.ts';

async function withTurns<T>(
  folder: string,
  work: (turns: OperationalCollection<FetchTurn>, ops: OperationalStore) => Promise<T>,
): Promise<T> {
  const onFatal = (error: Error) => {
    throw error;
  };
  const ops = await createEmbeddedOperationalStore({ folder, clock: systemClock, onFatal });
  try {
    return await work(await ops.collection<FetchTurn>(fetchTurnsDeclaration), ops);
  } finally {
    await ops.close();
  }
}

/** Of a registry that nobody serves. */
export const fetchTurnAtRest = (folder: string, sourceId: string): Promise<FetchTurn | null> =>
  withTurns(folder, async (turns) => (await turns.get(sourceId))?.doc ?? null);

/** As if the two minutes were over for which a killed process has taken a source. */
export const endFetchClaim = (folder: string, sourceId: string): Promise<void> =>
  withTurns(folder, async (turns, ops) => {
    const known = await turns.get(sourceId);
    if (known === null) throw new Error('the source has no turn');
    const doc = { ...known.doc, dueMs: systemClock.nowMs() };
    await ops.transact([{ kind: 'put', collection: fetchTurnsDeclaration.name, doc, expected: known.revision }]);
  });
