import type { ClaimForfeited } from '../../domain/name/events.ts';
import type { StoredDomainEvent } from '../../domain/stored-event-types.ts';
import type { DomainEvent, RecordedEvent } from '../../kernel/event.ts';
import { foldEvents, type Model } from '../../kernel/model.ts';

/** What a decision needs to know of all events of a stream beside the state that they come to. */
export interface StreamMark {
  /** The entity of this stream will never be: somebody made sure that it is not created, or it was purged. */
  readonly isAbandoned: boolean;
  /** By name, the highest number of a claim that this stream has lost. */
  readonly forfeited: Readonly<Record<string, number>>;
  /** When the last event was recorded. Times within a stream never go back. */
  readonly recordedAt: string | null;
  /** Of the last event; 0 without one. */
  readonly position: number;
}

/** What events build on: nothing yet, or what a snapshot says. */
export interface StreamStart<State> {
  readonly state: State;
  readonly mark: StreamMark;
  /** When each of the last day's commands recorded its events, by the command's id. */
  readonly commands: Readonly<Record<string, string>>;
}

export interface LoadedStream<State> {
  readonly stream: string;
  readonly version: number;
  readonly state: State;
  readonly mark: StreamMark;
  /** The last events in their order: all that are stored, or those behind a snapshot. */
  readonly events: readonly RecordedEvent[];
  /** What these events build on. */
  readonly start: StreamStart<State>;
}

const beginningOf = <State, E extends DomainEvent>(model: Model<State, E>): StreamStart<State> => ({
  state: model.initial,
  mark: { isAbandoned: false, forfeited: {}, recordedAt: null, position: 0 },
  commands: {},
});

/** What came before one of these counts no more, and nothing can come behind it. */
const purgedTypes: ReadonlySet<string> = new Set([
  'OrgPurged.v1',
  'ProductPurged.v1',
  'SourcePurged.v1',
] satisfies StoredDomainEvent['type'][]);

function markAfter(mark: StreamMark, events: readonly RecordedEvent[]): StreamMark {
  const last = events.at(-1);
  if (last === undefined) return mark;
  const forfeited = { ...mark.forfeited };
  for (const event of events) {
    if (event.type !== 'ClaimForfeited.v1') continue;
    const { name, claimVersion } = event.data as ClaimForfeited['data'];
    forfeited[name] = Math.max(forfeited[name] ?? 0, claimVersion);
  }
  const isFirst = mark.position === 0;
  const isStillborn = isFirst ? events[0]?.type === 'Abandoned.v1' : mark.isAbandoned;
  return {
    isAbandoned: isStillborn || events.some(({ type }) => purgedTypes.has(type)),
    forfeited,
    recordedAt: last.metadata.recordedAt,
    position: last.position,
  };
}

export function loadedStream<State, E extends DomainEvent>(
  model: Model<State, E>,
  slice: { readonly stream: string; readonly version: number; readonly events: readonly RecordedEvent[] },
  start: StreamStart<State> = beginningOf(model),
): LoadedStream<State> {
  const { stream, version, events } = slice;
  const mark = markAfter(start.mark, events);
  return { stream, version, events, mark, state: foldEvents(model, events, start.state), start };
}

/** A stream that has no events, or is taken for one. */
export const absentStream = <State, E extends DomainEvent>(model: Model<State, E>, stream: string) =>
  loadedStream(model, { stream, version: 0, events: [] });
