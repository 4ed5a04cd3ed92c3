import type { DomainEvent } from '../../kernel/event.ts';

export type TagCreated = DomainEvent<'TagCreated.v1', { slug: string; name: string; createdAt: string }>;
