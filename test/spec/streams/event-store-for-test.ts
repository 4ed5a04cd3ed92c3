import { onTestFinished } from 'vitest';
import type { EventStore } from '../../../src/ports/event-store.ts';
import { openInThreadEventStore } from '../in-thread-event-store.ts';
import { createTempFolder } from '../temp-folder.ts';

/** Empty, and gone when the test has ended. */
export const openEventStoreForTest = (): EventStore => {
  const folder = createTempFolder();
  const store = openInThreadEventStore(folder.path);
  onTestFinished(async () => {
    await store.close();
    folder.remove();
  });
  return store;
};
