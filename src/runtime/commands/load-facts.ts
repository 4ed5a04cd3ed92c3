import type { FactRequests } from '../../kernel/command.ts';
import { foldEvents } from '../../kernel/model.ts';
import type { EventStore, StreamSlice } from '../../ports/event-store.ts';

export interface LoadedFacts<Facts> {
  readonly facts: Facts;
  /** What was read, for its times and positions. */
  readonly slices: readonly StreamSlice[];
}

/** Asks for facts until nothing new is asked for: a source names its org, which is the next fact. */
export async function loadFacts<Facts extends object>(
  store: EventStore,
  ask: (known: Partial<Facts>) => FactRequests<Facts>,
): Promise<LoadedFacts<Facts>> {
  const known: Partial<Facts> = {};
  const slices: StreamSlice[] = [];
  for (;;) {
    const requests = ask(known);
    const missing = (Object.keys(requests) as (keyof Facts)[]).filter((name) => !(name in known));
    if (missing.length === 0) return { facts: known as Facts, slices };
    const read = await store.readMany(missing.map((name) => requests[name]!.stream));
    slices.push(...read);
    missing.forEach((name, index) => {
      known[name] = foldEvents(requests[name]!.model, read[index]!.events) as Facts[keyof Facts];
    });
  }
}
