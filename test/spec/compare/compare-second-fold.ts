import { allProjections } from '../../../projections/all-projections.ts';
import type { EventStore } from '../../../src/ports/event-store.ts';
import type { ReadModelSet } from '../../../src/ports/read-models.ts';
import { verifyGenerations } from '../../../src/runtime/projector/filling/verify-generations.ts';
import { Difference } from './comparison.ts';

const noHurry = { eventsAtOnce: () => 100, giveWay: async () => undefined };

/** So small that every read model is folded in many parts, and the larger ones by a sample. */
const smallBounds = { documentsMax: 30, bytesMax: 20_000, passBytesMax: 2_000 };

/** Throws a `Difference` unless a second fold, of parts of them at a time, makes the same documents. */
export async function compareSecondFold(models: ReadModelSet, store: EventStore): Promise<void> {
  const filled = await Promise.all(
    allProjections.map(async (projection) => {
      const model = models.of(projection);
      return { projection, model, position: await model.checkpoint() };
    }),
  );
  const over = new AbortController().signal;
  const deps = { store, pace: noHurry, over, onProgress: () => undefined, bounds: smallBounds };
  for (const [name, result] of await verifyGenerations(filled, deps)) {
    if (result instanceof Error) throw result;
    const { compared, differing } = result;
    if (differing.length === 0) continue;
    throw new Difference(
      `${differing.length} of ${compared} documents of ${name} differ, first ${differing.slice(0, 3).join(', ')}`,
    );
  }
}
