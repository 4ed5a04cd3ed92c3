import type { DomainEvent } from '../../kernel/event.ts';

/** The first event of a store. Everything built from the store records this id and refuses another one. */
export type RegistryFounded = DomainEvent<'RegistryFounded.v1', { registryId: string }>;
