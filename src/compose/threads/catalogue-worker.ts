import { workerData } from 'node:worker_threads';
import type { InstantsDocument } from '../../../projections/instants/instants-document.ts';
import { instantsProjection } from '../../../projections/instants/instants.ts';
import { wereClosedInOrder } from '../../adapters/embedded/read-models/closed-in-order.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { serveThread } from '../../adapters/threads/serve-thread.ts';
import type { PackedSources } from '../../catalogue/instants/packed-sources.ts';
import { readReleases } from '../../catalogue/instants/read-releases.ts';
import { createMadeOnce } from '../../concurrency/made-once.ts';
import type { BackendSettings } from '../../config/backend-settings.ts';
import { type Backend, BackendUnavailable } from '../../kernel/backend-unavailable.ts';
import { codeGenerationOf } from '../../runtime/projector/generations.ts';
import { openReadModels } from '../stores/open-read-models.ts';

/** The class of an error would not arrive. */
export type CatalogueAnswer<Answer> = { readonly answer: Answer } | { readonly unavailable: Backend };

export type CatalogueThreadCalls = {
  /** Reads that generation of the releases; answers the position of `ReleasesRead`. */
  begin: (generation: number) => Promise<CatalogueAnswer<number>>;
  /** The next of its pages; null when all were told. */
  next: (input: null) => Promise<CatalogueAnswer<PackedSources | null>>;
};

interface Reading {
  readonly generation: number;
  readonly position: number;
  readonly next: () => Promise<PackedSources | null>;
}

async function told<Answer>(answering: () => Promise<Answer>): Promise<CatalogueAnswer<Answer>> {
  try {
    return { answer: await answering() };
  } catch (error) {
    if (error instanceof BackendUnavailable) return { unavailable: error.backend };
    throw error;
  }
}

await serveThread<CatalogueThreadCalls>(() => {
  const backends = workerData as BackendSettings;
  const { name, indexes } = instantsProjection;
  const opened = createMadeOnce(() =>
    openReadModels({ ...backends, clock: systemClock, appName: 'registry catalogue', readonly: true }),
  );
  let isOpened = false;

  async function begin(generation: number): Promise<Reading> {
    const { readModels } = await opened();
    isOpened = true;
    const model = await readModels.open<InstantsDocument>({ name, generation, indexes });
    const { position, pages } = await readReleases(model);
    const reading = pages[Symbol.asyncIterator]();
    let first: ReturnType<typeof reading.next> | null = reading.next(); // which takes longer than all others together
    first.catch(() => undefined); // told to who asks for it
    const next = async (): Promise<PackedSources | null> => {
      const coming = first ?? reading.next();
      first = null;
      const { done, value } = await coming;
      return done === true ? null : value;
    };
    return { generation, position, next };
  }

  /** What most probably will be asked for: the process that starts has much else to load until then. */
  async function beginAhead(): Promise<Reading | null> {
    if (backends.mongodbUrl === undefined && !wereClosedInOrder(backends.dataDir)) return null;
    const { readModels } = await opened();
    isOpened = true;
    const live = (await readModels.pointers())[name];
    if (live === undefined || codeGenerationOf(live) !== instantsProjection.generation) return null;
    return begin(live);
  }

  const ahead = beginAhead().catch(() => null); // what is wrong is told to who asks, when it is tried again
  let reading: Reading | null = null;

  return {
    calls: {
      begin: (generation) =>
        told(async () => {
          const begun = await ahead;
          reading = begun?.generation === generation ? begun : await begin(generation);
          return reading.position;
        }),
      next: () => told(() => reading!.next()),
    },
    close: async () => {
      await ahead;
      if (isOpened) await (await opened()).close();
    },
  };
});
