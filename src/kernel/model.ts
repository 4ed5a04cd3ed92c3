import type { DomainEvent, EventMetadata } from './event.ts';

/** How the events of a stream become the state that a decision needs. Pure. */
export interface Model<State, E extends DomainEvent> {
  readonly initial: State;
  readonly evolve: (state: State, event: E, metadata: EventMetadata) => State;
}

interface FoldableEvent<E extends DomainEvent> {
  readonly type: E['type'];
  readonly data: E['data'];
  readonly metadata: EventMetadata;
}

export function foldEvents<State, E extends DomainEvent>(
  model: Model<State, E>,
  events: Iterable<FoldableEvent<DomainEvent>>,
  from: State = model.initial,
): State {
  let state = from;
  for (const event of events) state = model.evolve(state, event as unknown as E, event.metadata);
  return state;
}
