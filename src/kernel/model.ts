import type { DomainEvent, EventMetadata } from './event.ts';

/** How the events of a stream become the state that a decision needs. Pure. */
export interface Model<State, E extends DomainEvent> {
  /** Raise it when the same events come to another state: snapshots of the old one are then left alone. */
  readonly foldVersion: number;
  readonly initial: State;
  // A method, not a property: so whoever reads a stream can fold its events without knowing their types.
  evolve(state: State, event: E, metadata: EventMetadata): State;
}

interface FoldableEvent extends DomainEvent {
  readonly metadata: EventMetadata;
}

export function foldEvents<State>(
  model: Model<State, DomainEvent>,
  events: Iterable<FoldableEvent>,
  from: State = model.initial,
): State {
  let state = from;
  for (const event of events) state = model.evolve(state, event, event.metadata);
  return state;
}
