import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startThread } from '../../../../src/adapters/threads/thread.ts';
import { createTempFolder, type TempFolder } from '../../../spec/temp-folder.ts';
import type { WatchedWriterData } from './watched-writer-child.ts';

const full = 2;

let folder: TempFolder;
beforeEach(() => {
  folder = createTempFolder();
});
afterEach(() => folder.remove());

// A flush that is left out shows only when the power fails, so the connection itself is asked.
it.each([
  { what: 'events', module: 'event-store/writer-thread' },
  { what: 'operational data and messages', module: 'operational-store/writer-thread' },
])('what writes $what flushes every commit to the disk', async ({ module }) => {
  const synchronous = new Int32Array(new SharedArrayBuffer(4)).fill(-1);
  const watched = new URL(`../../../../src/adapters/embedded/${module}.ts`, import.meta.url).href;
  const thread = await startThread({
    name: 'writer',
    beside: import.meta.url,
    module: 'watched-writer-child',
    workerData: {
      file: join(folder.path, 'data.sqlite'),
      channel: folder.path,
      watched,
      synchronous,
    } satisfies WatchedWriterData & Record<string, unknown>,
    onExit: (reason) => {
      throw reason;
    },
  });
  await thread.close();
  expect(synchronous[0]).toBe(full);
});
