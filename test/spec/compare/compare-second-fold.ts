import { allProjections } from '../../../projections/all-projections.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import type { ReadModelSet } from '../../../src/ports/read-models.ts';
import { verifyGenerations } from '../../../src/runtime/projector/filling/verify-generations.ts';
import { Difference } from './comparison.ts';

const noHurry = { eventsAtOnce: () => 100, giveWay: async () => undefined };

/** Once of all documents, and once so small that most read models are folded by a sample. */
const bounds = [
  { documentsMax: 100_000, bytesMax: 100_000_000 },
  { documentsMax: 30, bytesMax: 20_000 },
];

/** Throws a `Difference` unless a second fold, also of some of them, makes the same documents. */
export async function compareSecondFold(models: ReadModelSet, store: EventStore): Promise<void> {
  const filled = await Promise.all(
    allProjections.map(async (projection) => {
      const model = models.of(projection);
      return { projection, model, position: await model.checkpoint() };
    }),
  );
  const over = new AbortController().signal;
  const deps = { store, pace: noHurry, over, onProgress: () => undefined };
  const results = await Promise.all(bounds.map((each) => verifyGenerations(filled, { ...deps, bounds: each })));
  for (const [name, result] of results.flatMap((each) => [...each])) {
    if (result instanceof Error) throw result;
    const { compared, differing } = result;
    if (differing.length === 0) continue;
    throw new Difference(
      `${differing.length} of ${compared} documents of ${name} differ, first ${differing.slice(0, 3).join(', ')}`,
    );
  }
}
