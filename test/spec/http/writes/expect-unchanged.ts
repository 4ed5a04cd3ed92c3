import { expect } from 'vitest';
import type { EventStore } from '../../../../src/ports/event-store.ts';

/** Whether anything was written is told by the event store itself. */
export async function expectUnchanged(store: Pick<EventStore, 'head'>, calls: () => Promise<void>): Promise<void> {
  const before = await store.head();
  await calls();
  expect(await store.head()).toBe(before);
}
