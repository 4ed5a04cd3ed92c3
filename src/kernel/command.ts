import type { ZodType } from 'zod';
import type { Cause, DomainEvent } from './event.ts';
import type { IdPrefix } from './ids.ts';
import type { Model } from './model.ts';

/** Who asks, and as part of what. */
export interface CommandRequest {
  /** A UUID; the same id again answers as the first time. */
  readonly commandId: string;
  readonly actor: string;
  readonly correlationId: string;
  readonly cause: Cause;
}

/**
 * Gives the id of the entity that a command creates: the same for every try of that command. With a key it is the same
 * for every command with that key: there is one such entity, whoever creates it first.
 */
export type NewId = (prefix: IdPrefix, key?: string) => string;

/** The state of another stream, read from the event store at the time of the decision. */
export interface FactRequest {
  readonly stream: string;
  readonly model: Model<unknown, DomainEvent>;
}

export const fact = (stream: string, model: FactRequest['model']): FactRequest => ({ stream, model });

export type FactRequests<Facts> = { readonly [Name in keyof Facts]?: FactRequest };

/** A name that the owner wants to hold: the first candidate that is free is taken. */
export interface NameWish {
  /** What a conflict is reported on: `slug`, `domain`, `alias`, `package`. */
  readonly field: string;
  readonly candidates: readonly NameCandidate[];
}

export interface NameCandidate {
  readonly value: string;
  /** The stream that reserves it. */
  readonly stream: string;
}

/** Text that is too large for one event, stored in a stream of its own before the event that names it. */
export interface BodyWrite {
  readonly stream: string;
  readonly parts: readonly string[];
}

export interface Decision<E extends DomainEvent> {
  readonly events: readonly E[];
  readonly bodies?: readonly BodyWrite[];
}

export interface DecisionContext<Facts> {
  /** RFC 3339: the moment that the decided events will carry. */
  readonly now: string;
  readonly commandId: string;
  /** The id of the stream that is decided on, without its category. */
  readonly id: string;
  readonly facts: Facts;
  /** The value chosen for each wish, by the wish's key. */
  readonly names: Readonly<Record<string, string>>;
}

export interface Command<Input, State, E extends DomainEvent, Facts extends object = object> {
  readonly name: string;
  readonly input: ZodType<Input>;
  readonly stream: (input: Input, newId: NewId) => string;
  readonly model: Model<State, E>;
  /** Asked again with what is known until it asks for nothing new, so a fact may name the next one. */
  readonly facts?: (input: Input, state: State, known: Partial<Facts>) => FactRequests<Facts>;
  /** Every name that the owner shall hold once the decision is stored. */
  readonly names?: (input: Input, state: State, facts: Facts, now: string) => Readonly<Record<string, NameWish>>;
  /** Pure. No events = nothing new, so a command is safe to send twice. */
  readonly decide: (input: Input, state: State, context: DecisionContext<Facts>) => readonly E[] | Decision<E>;
}

export const defineCommand = <Input, State, E extends DomainEvent, Facts extends object = object>(
  command: Command<Input, State, E, Facts>,
): Command<Input, State, E, Facts> => command;

export interface BatchDecision<E extends DomainEvent, Result> extends Decision<E> {
  readonly result: Result;
}

/** One command over many streams: each stream is decided and stored on its own, all or nothing. */
export interface BatchCommand<
  Input,
  Item,
  State,
  E extends DomainEvent,
  Facts extends object,
  ItemFacts extends object,
  Result,
> {
  readonly name: string;
  readonly input: ZodType<Input>;
  readonly facts: (input: Input, known: Partial<Facts>) => FactRequests<Facts>;
  /** Items of one stream are decided in order and stored in one append. */
  readonly items: (input: Input, facts: Facts) => readonly { readonly stream: string; readonly item: Item }[];
  readonly model: Model<State, E>;
  readonly itemFacts?: (item: Item, state: State) => FactRequests<ItemFacts>;
  readonly decide: (
    item: Item,
    state: State,
    context: DecisionContext<Facts & Partial<ItemFacts>>,
  ) => BatchDecision<E, Result>;
}

export const defineBatchCommand = <
  Input,
  Item,
  State,
  E extends DomainEvent,
  Facts extends object,
  ItemFacts extends object,
  Result,
>(
  command: BatchCommand<Input, Item, State, E, Facts, ItemFacts, Result>,
): BatchCommand<Input, Item, State, E, Facts, ItemFacts, Result> => command;
