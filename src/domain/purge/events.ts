import type { DomainEvent } from '../../kernel/event.ts';

/** In the stream of a purged entity: its names are free, and what was written about it is in no store any more. */
export type PurgeCompleted = DomainEvent<'PurgeCompleted.v1', { completedAt: string }>;
