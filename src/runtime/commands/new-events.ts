import { v5 as uuidV5 } from 'uuid';
import type { CommandRequest } from '../../kernel/command.ts';
import type { DomainEvent, NewEvent } from '../../kernel/event.ts';

/**
 * The id of an event follows from its command, its stream, its number in that stream and its type, so that sending the
 * same append again is the same append, while a second try at a later version is another one. So is what is recorded as
 * part of the same command at the same place and is something else: a fence must never be taken for what it fences.
 */
const eventIdOf = (commandId: string, { stream, version, type }: EventPlace): string =>
  uuidV5(`${stream}@${version} ${type}`, commandId);

interface EventPlace {
  readonly stream: string;
  readonly version: number;
  readonly type: string;
}

export function newEvents(
  events: readonly DomainEvent[],
  target: { readonly stream: string; readonly expectedVersion: number },
  request: CommandRequest,
  recordedAt: string,
): NewEvent[] {
  const { commandId, actor, cause, correlationId } = request;
  const metadata = { commandId, actor, cause, correlationId, recordedAt };
  return events.map(({ type, data }, index) => ({
    id: eventIdOf(commandId, { stream: target.stream, version: target.expectedVersion + 1 + index, type }),
    type,
    data,
    metadata,
  }));
}
