import type { DomainEvent } from '../../kernel/event.ts';

/** A part of a text that is too large for one event; parts are counted from 0. */
export type BodyPartStored = DomainEvent<'BodyPartStored.v1', { part: number; parts: number; text: string }>;

/**
 * Takes the place of the text when its owner is erased. A store may keep the last event of a stream for ever, so the
 * last one must hold no text.
 */
export type BodyErased = DomainEvent<'BodyErased.v1', Record<string, never>>;

export type BodyEvent = BodyPartStored | BodyErased;

/**
 * In the stream of an owner's texts, before the first part of one is stored: by it an erasure finds them all. It holds the
 * last part of the body stream's name: the hash of a release's text, the key of a changelog file's.
 */
export type TextBegun = DomainEvent<'TextBegun.v1', { sha256: string }>;
