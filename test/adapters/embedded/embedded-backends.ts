import { createFakeClock, type FakeClock } from '../../spec/fake-clock.ts';
import { createTempFolder, type TempFolder } from '../../spec/temp-folder.ts';

interface Closable {
  readonly close: () => Promise<void>;
}

/** Data folders of one harness and the stores opened on them, all by one simulated clock. */
export function createEmbeddedBackends<Store extends Closable>(
  open: (folder: string, clock: FakeClock) => Promise<Store>,
) {
  const clock = createFakeClock();
  let folders: TempFolder[] = [];
  let stores = new Map<Store, string>();

  const newFolder = (): string => {
    const folder = createTempFolder();
    folders.push(folder);
    return folder.path;
  };
  const openOn = async (folder: string): Promise<Store> => {
    const store = await open(folder, clock);
    stores.set(store, folder);
    return store;
  };

  return {
    nowMs: clock.nowMs,
    make: () => openOn(newFolder()),
    makeTwoOnOneBackend: async (): Promise<[Store, Store]> => {
      const folder = newFolder();
      return [await openOn(folder), await openOn(folder)];
    },
    settle: async () => {}, // a committed write is seen by every reader of the file
    interrupt: async (store: Store): Promise<Store> => {
      const folder = stores.get(store);
      if (folder === undefined) throw new Error('this store is not one of the harness');
      await store.close();
      return openOn(folder);
    },
    passTime: async (ms: number) => clock.advance(ms),
    close: async () => {
      await Promise.all([...stores.keys()].map((store) => store.close()));
      for (const folder of folders) folder.remove();
      folders = [];
      stores = new Map();
    },
  };
}
