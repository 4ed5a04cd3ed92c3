import type { DomainEvent } from '../../kernel/event.ts';

/** Notes for those who look after an org; the stream is named by the org's id. */
export type PlaybookWritten = DomainEvent<'PlaybookWritten.v1', { content: string; updatedAt: string }>;
export type PlaybookRemoved = DomainEvent<'PlaybookRemoved.v1', { removedAt: string }>;

export type PlaybookEvent = PlaybookWritten | PlaybookRemoved;
