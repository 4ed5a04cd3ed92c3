import type { DomainEvent } from '../../kernel/event.ts';

/** The owner is the stream that wants the name; it may not exist yet. */
export type NameClaimed = DomainEvent<'NameClaimed.v1', { owner: string }>;
export type NameReleased = DomainEvent<'NameReleased.v1', { owner: string }>;
export type NameEvent = NameClaimed | NameReleased;

/** In the stream of an owner that was never created: the claim's taker made sure that it never will be. */
export type Abandoned = DomainEvent<'Abandoned.v1', { name: string }>;
/** In the stream of a living owner: the claim with that number, or an older one, is no longer its own. */
export type ClaimForfeited = DomainEvent<'ClaimForfeited.v1', { name: string; claimVersion: number }>;
export type OwnerFenceEvent = Abandoned | ClaimForfeited;
