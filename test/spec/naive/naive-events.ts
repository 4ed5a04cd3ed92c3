import type { DomainEvent, RecordedEvent } from '../../../src/kernel/event.ts';

// One member for each event, so that the type of an event tells its data.
export type Recorded<E extends DomainEvent> = E extends DomainEvent ? RecordedEvent<E> : never;

export const eventsOf = <E extends DomainEvent>(events: readonly RecordedEvent[], category: string): Recorded<E>[] =>
  events.filter(({ stream }) => stream.category === category) as unknown as Recorded<E>[];

/** The rows with the one of that id replaced. */
export const change = <Row extends { readonly id: string }>(
  rows: readonly Row[],
  id: string,
  changed: Partial<NoInfer<Row>>,
): Row[] => rows.map((row) => (row.id === id ? { ...row, ...changed } : row));
