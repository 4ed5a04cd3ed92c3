import { v5 as uuidV5 } from 'uuid';
import type { CommandRequest } from '../../kernel/command.ts';
import type { DomainEvent, NewEvent } from '../../kernel/event.ts';

/**
 * The id of an event follows from its command, its stream and its number in that stream, so that sending the same
 * append again is the same append, while a second try at a later version is another one.
 */
export const eventIdOf = (commandId: string, stream: string, version: number): string =>
  uuidV5(`${stream}@${version}`, commandId);

export function newEvents(
  events: readonly DomainEvent[],
  target: { readonly stream: string; readonly expectedVersion: number },
  request: CommandRequest,
  recordedAt: string,
): NewEvent[] {
  const { commandId, actor, cause, correlationId } = request;
  const metadata = { commandId, actor, cause, correlationId, recordedAt };
  return events.map(({ type, data }, index) => ({
    id: eventIdOf(commandId, target.stream, target.expectedVersion + 1 + index),
    type,
    data,
    metadata,
  }));
}
