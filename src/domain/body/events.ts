import type { DomainEvent } from '../../kernel/event.ts';

/** A part of a text that is too large for one event; parts are counted from 0. */
export type BodyPartStored = DomainEvent<'BodyPartStored.v1', { part: number; parts: number; text: string }>;
