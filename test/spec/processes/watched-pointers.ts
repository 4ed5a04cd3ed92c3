import { systemClock } from '../../../src/adapters/system/clock.ts';
import { openProjectorStores } from '../../../src/compose/stores/stores.ts';
import type { BackendSettings } from '../../../src/config/backend-settings.ts';

export interface WatchedPointers {
  /** The live generations of the named read models, as many looks found them, each set once. */
  readonly seen: ReadonlySet<string>;
  readonly stop: () => Promise<void>;
}

/** Looks again and again which generations are live, beside the processes that switch them. */
export async function watchPointers(settings: BackendSettings, names: readonly string[]): Promise<WatchedPointers> {
  const onFatal = (error: Error) => {
    throw error;
  };
  const { readModels, close } = await openProjectorStores({ ...settings, clock: systemClock, onFatal });
  const seen = new Set<string>();
  let isStopped = false;
  const looking = (async () => {
    while (!isStopped) {
      const pointers = await readModels.pointers();
      seen.add(names.map((name) => pointers[name]).join());
      await systemClock.sleep(5);
    }
  })();
  return {
    seen,
    stop: async () => {
      isStopped = true;
      try {
        await looking;
      } finally {
        await close();
      }
    },
  };
}
