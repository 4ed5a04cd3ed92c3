import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  createEmbeddedEventStore,
  type EmbeddedEventStore,
} from '../../../../src/adapters/embedded/event-store/event-store.ts';
import type { EventStore } from '../../../../src/ports/event-store.ts';
import { contractCodec, type EventStoreHarness, type SpawnedWriter } from '../../../contract/event-store/harness.ts';
import { builtModule } from '../../../spec/built/built-path.ts';
import { createTempFolder, type TempFolder } from '../../../spec/temp-folder.ts';

const child = builtModule(new URL('./event-writer-child.ts', import.meta.url));

/** Over data folders of its own. */
export function createEmbeddedEventStoreHarness(): EventStoreHarness {
  let folders: TempFolder[] = [];
  let stores: EmbeddedEventStore[] = [];
  let kills: (() => Promise<void>)[] = [];

  const newFolder = (): string => {
    const folder = createTempFolder();
    folders.push(folder);
    return folder.path;
  };
  const open = async (folder: string): Promise<EmbeddedEventStore> => {
    const onFatal = (error: Error) => {
      throw error;
    };
    const store = await createEmbeddedEventStore({ folder, codec: contractCodec, onFatal });
    stores.push(store);
    return store;
  };

  const spawnWriter = async (): Promise<SpawnedWriter> => {
    const folder = newFolder();
    const writer = spawn(process.execPath, [child, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(writer, 'close');
    let told = '';
    writer.stdout.setEncoding('utf8').on('data', (text: string) => {
      told += text;
    });
    const kill = async () => {
      writer.kill('SIGKILL');
      await exited;
    };
    kills.push(kill);
    // The last piece is an id only when its line was ended.
    return { acknowledged: () => told.split('\n').slice(0, -1), kill, reopen: () => open(folder) };
  };

  return {
    make: () => open(newFolder()),
    makeTwoOnOneBackend: async () => {
      const folder = newFolder();
      return [await open(folder), await open(folder)];
    },
    settle: async () => {}, // a committed append is seen by every reader of the file
    interrupt: async (store: EventStore) => {
      await stores.find((known) => known === store)?.reopen();
    },
    spawnWriter,
    close: async () => {
      await Promise.all(kills.map((kill) => kill()));
      await Promise.all(stores.map((store) => store.close()));
      for (const folder of folders) folder.remove();
      [kills, stores, folders] = [[], [], []];
    },
  };
}
