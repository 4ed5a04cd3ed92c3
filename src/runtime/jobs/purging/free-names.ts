import type { NameReleased } from '../../../domain/name/events.ts';
import { nameOwners } from '../../../domain/name/name-owners.ts';
import { name } from '../../../domain/name/state.ts';
import type { CommandRequest } from '../../../kernel/command.ts';
import type { RecordedEvent } from '../../../kernel/event.ts';
import { foldEvents } from '../../../kernel/model.ts';
import { parseStream } from '../../../kernel/stream-name.ts';
import type { EventStore } from '../../../ports/event-store.ts';
import { newEvents } from '../../commands/new-events.ts';

/** Every name that the owner ever held, as far as its stream tells. */
function namesEverHeld(owner: string, events: readonly RecordedEvent[]): string[] {
  const { model, names } = nameOwners[parseStream(owner).category]!;
  const held = new Set<string>();
  let state = model.initial;
  for (const event of events) {
    state = model.evolve(state, event, event.metadata);
    for (const each of names(state)) held.add(each);
  }
  return [...held];
}

/**
 * Frees what a purged owner has claimed. Its command has done so, if it came to its end; a claim that is left would cost
 * whoever wants the name later a word in the stream of the purged one.
 */
export async function freeNames(
  store: EventStore,
  owner: string,
  events: readonly RecordedEvent[],
  request: CommandRequest & { readonly recordedAt: string },
): Promise<void> {
  const released: NameReleased = { type: 'NameReleased.v1', data: { owner } };
  let waiting = namesEverHeld(owner, events);
  while (waiting.length > 0) {
    const claims = await store.readMany(waiting);
    const owned = claims.filter((claim) => foldEvents(name, claim.events).owner === owner);
    await store.appendMany(
      owned.map(({ stream, version }) => {
        const target = { stream, expectedVersion: version };
        return { ...target, events: newEvents([released], target, request, request.recordedAt) };
      }),
    );
    waiting = owned.map(({ stream }) => stream); // looked at once more, for somebody may have been faster
  }
}
