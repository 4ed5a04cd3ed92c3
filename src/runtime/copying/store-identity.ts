import type { RegistryFounded } from '../../domain/registry/events.ts';
import { StartupError } from '../../kernel/startup-error.ts';
import { registryStream } from '../../kernel/stream-name.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventStore } from '../../ports/event-store.ts';
import type { Ids } from '../../ports/ids.ts';
import { decisionTime } from '../commands/command-times.ts';
import { newEvents } from '../commands/new-events.ts';

/** Anything that is built from an event store and remembers which one. */
export interface IdentifiedStore {
  readonly identity: () => Promise<string | null>;
  readonly setIdentity: (registryId: string) => Promise<void>;
}

const foundingEvent = async (store: EventStore) => (await store.read(registryStream, { limit: 1 })).events[0];

/** The id of the registry that the events belong to, wherever they are stored; null when it was never founded. */
export async function readRegistryId(store: EventStore): Promise<string | null> {
  const first = await foundingEvent(store);
  return first === undefined ? null : (first.data as RegistryFounded['data']).registryId;
}

/**
 * What is built from the store remembers it by this; null when it was never founded. A copy of a registry in another
 * kind of store has other positions, so what was built from the one must not be taken for the other: the place of the
 * first event tells them apart.
 */
export async function readIdentity(store: EventStore): Promise<string | null> {
  const first = await foundingEvent(store);
  if (first === undefined) return null;
  const { registryId } = first.data as RegistryFounded['data'];
  return first.position === 1 ? registryId : `${registryId}@${first.position}`;
}

/** The identity of the store; an empty one is founded now. */
export async function foundOrReadIdentity(deps: {
  readonly store: EventStore;
  readonly ids: Ids;
  readonly clock: Clock;
}): Promise<string> {
  const { store, ids, clock } = deps;
  // The head first: another process may found the store at this very moment, and then its id is there to be read.
  const head = await store.head();
  const known = await readIdentity(store);
  if (known !== null) return known;
  if (head > 0) {
    throw new StartupError('The event store holds events but no registry: it belongs to another program.');
  }
  const commandId = ids.commandId();
  const founded: RegistryFounded = { type: 'RegistryFounded.v1', data: { registryId: commandId } };
  const target = { stream: registryStream, expectedVersion: 0 };
  const request = { commandId, actor: 'system:start', cause: 'system' as const, correlationId: commandId };
  const events = newEvents([founded], target, request, decisionTime(clock.nowMs(), []));
  // Two processes may found it at once; whoever came second takes what the first one wrote.
  await store.append({ ...target, events });
  const id = await readIdentity(store);
  if (id === null) throw new StartupError('The event store accepted its first event but does not give it back.');
  return id;
}

/** The position of the first event of all; 0 when there is none. */
export const foundedAt = async (store: EventStore): Promise<number> => (await foundingEvent(store))?.position ?? 0;

/** An empty event store beside stores that were built from one is almost surely a mistake: nothing is founded then. */
export async function requireUnused(
  eventStore: EventStore,
  stores: Readonly<Record<string, IdentifiedStore>>,
): Promise<void> {
  for (const [name, store] of Object.entries(stores)) {
    const known = await store.identity();
    if (known === null) continue;
    if ((await readIdentity(eventStore)) !== null) return; // another process founds everything at this very moment
    throw new StartupError(
      `The event store is empty, but the ${name} belong to registry ${known}. To move that registry here, run ` +
        '`registry migrate` first; to begin a new one, use a new data folder and new databases.',
    );
  }
}

/** Stops a start on top of stores that were built from another event store. */
export async function checkIdentity(
  registryId: string,
  stores: Readonly<Record<string, IdentifiedStore>>,
): Promise<void> {
  for (const [name, store] of Object.entries(stores)) {
    const known = await store.identity();
    if (known === null) await store.setIdentity(registryId);
    else if (known !== registryId) {
      throw new StartupError(
        `The ${name} belong to registry ${known}, but the event store is registry ${registryId}. ` +
          `Point both to the same registry. Read models and search indexes can be removed and are built anew; with operational data go ` +
          'signing keys and deliveries, which nothing brings back.',
      );
    }
  }
}

/** A checkpoint beyond the head means that the event store was replaced by an older one. */
export function checkCheckpoint(name: string, checkpoint: number, head: number): void {
  if (checkpoint <= head) return;
  throw new StartupError(
    `${name} has seen position ${checkpoint}, but the event store ends at ${head}: it was replaced by an older copy. ` +
      'Restore the newer event store. Read models can be removed and are built anew; the operational store holds signing ' +
      'keys and deliveries, which nothing brings back.',
  );
}
