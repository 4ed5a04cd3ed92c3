import type { EventStore } from '../../src/ports/event-store.ts';

/** Awaited before and after every call, so that a test can stop, delay or kill at each await. */
export type Gate = (call: string, moment: 'before' | 'after') => Promise<void>;

/** The same store, with a gate at both ends of every call a command makes. */
export function gatedEventStore(store: EventStore, gate: Gate): EventStore {
  const gated =
    <Args extends unknown[], Result>(name: string, call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      await gate(name, 'before');
      const result = await call(...args);
      await gate(name, 'after');
      return result;
    };
  return {
    ...store,
    append: gated('append', store.append),
    appendMany: gated('appendMany', store.appendMany),
    read: gated('read', store.read),
    readMany: gated('readMany', store.readMany),
  };
}
