import { describe, expect, it } from 'vitest';
import { PositionTooLarge } from '../../../src/adapters/eventstoredb/stored-event.ts';
import { newEvents } from '../../spec/events/events.ts';
import { useStandin } from './use-standin.ts';

const { open } = useStandin({ startPosition: BigInt(Number.MAX_SAFE_INTEGER) + 2n });

describe('EventStoreDB stand-in, positions above 2^53', () => {
  it('are a named error, never a rounded number', async () => {
    const store = await open();
    const append = { stream: 'org-a', expectedVersion: 0, events: newEvents(1) };
    await expect(store.append(append)).rejects.toThrow(PositionTooLarge);
    await expect(store.read('org-a')).rejects.toThrow(PositionTooLarge);
    await expect(store.head()).rejects.toThrow(PositionTooLarge);
    await expect(store.readAll({ afterPosition: 0, limit: 1 })).rejects.toThrow(PositionTooLarge);
    const drops: Error[] = [];
    const { done } = store.subscribe({
      afterPosition: 0,
      batchSize: 1,
      onBatch: async () => {},
      onDrop: (error) => drops.push(error),
    });
    await expect(done).rejects.toThrow(PositionTooLarge);
    expect(drops).toEqual([]);
  });
});
