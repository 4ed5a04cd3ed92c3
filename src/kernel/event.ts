import type { StreamRef } from './stream-name.ts';

/** A fact as the domain speaks of it: a past-tense name with a version, and JSON. */
export interface DomainEvent<Type extends string = string, Data extends object = object> {
  readonly type: Type;
  readonly data: Data;
}

export type Cause =
  | 'ingest'
  | 'fetch'
  | 'import'
  | 'edit'
  | 'enrich'
  | 'generate'
  | 'coverage'
  | 'suppress'
  | 'unsuppress'
  | 'system';

export interface EventMetadata {
  readonly commandId: string;
  /** Who did it: `root`, `token:<id>`, `user:<id>` or `system:<part>`. Never a credential. */
  readonly actor: string;
  readonly cause: Cause;
  readonly correlationId: string;
  /** RFC 3339; never earlier than the events that the decision was made on. */
  readonly recordedAt: string;
  /** Public sequence number kept from the store an event was migrated from. */
  readonly seq?: number;
}

/** An event on its way into a stream. The id is a UUID made from the command, so a repeat is the same event. */
export interface NewEvent<E extends DomainEvent = DomainEvent> {
  readonly id: string;
  readonly type: E['type'];
  readonly data: E['data'];
  readonly metadata: EventMetadata;
}

export interface RecordedEvent<E extends DomainEvent = DomainEvent> extends NewEvent<E> {
  readonly stream: StreamRef;
  /** Number of this event in its stream, from 1. */
  readonly version: number;
  /** Place in the order of all events: a non-negative safe integer, increasing, with gaps. */
  readonly position: number;
}

/** Whether a text was written by the generator, not by a person. */
export const isGenerated = ({ metadata }: Pick<RecordedEvent, 'metadata'>): boolean => metadata.cause === 'generate';

/** The public sequence number, which is the position where the event was first stored. */
export const seqOf = ({ metadata, position }: Pick<RecordedEvent, 'metadata' | 'position'>): number =>
  metadata.seq ?? position;
