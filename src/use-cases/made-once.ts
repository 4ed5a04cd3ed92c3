import { v5 as uuidV5 } from 'uuid';
import { org } from '../domain/org/state.ts';
import { areParentsLive } from '../domain/release/visible.ts';
import { githubCoordinate } from '../domain/source/github-coordinate.ts';
import { source } from '../domain/source/state.ts';
import type { RecordedEvent } from '../kernel/event.ts';
import { newEntityId } from '../kernel/ids.ts';
import { foldEvents } from '../kernel/model.ts';
import { streamOf } from '../kernel/stream-name.ts';
import type { EventStore } from '../ports/event-store.ts';

/** Where the one entity of a key is, or is to be made. */
export interface EntityPlace {
  /** Makes it: the same command for everybody who finds the same place, so that only one entity comes of it. */
  readonly commandId: string;
  /** Null while it is not there. */
  readonly livingId: string | null;
}

export interface MadeOnce {
  readonly orgFor: (key: string) => Promise<EntityPlace>;
  readonly sourceFor: (key: string) => Promise<EntityPlace>;
}

/** Names that differ only in case are one (contract 8). */
export const repositoryKey = (coordinate: string): string => `github:${coordinate.toLowerCase()}`;

/** Any fixed UUID: it only keeps these commands apart from those of others. */
const namespace = '5f2c7a0e-3d1b-4c55-9e0a-6b7d8c9e0f11';

/**
 * Orgs and sources whose id follows from what they are made for. The stream of that id is the claim: whoever appends to
 * it first has made the entity, and a second one, in whatever process, finds it there. One that is gone stays gone, so
 * the next place of its key is taken then.
 */
export function createMadeOnce(store: Pick<EventStore, 'read'>): MadeOnce {
  const eventsOf = async (category: 'org' | 'source', id: string): Promise<readonly RecordedEvent[]> =>
    (await store.read(streamOf(category, id))).events;

  const isOrgLive = async (events: readonly RecordedEvent[]): Promise<boolean> =>
    foldEvents(org, events).lifecycle === 'live';

  /** One that an admin has pointed at another repository is not the one that was made for this. */
  const isSourceLive = async (events: readonly RecordedEvent[], key: string): Promise<boolean> => {
    const state = foldEvents(source, events);
    const { orgId } = state;
    if (repositoryKey(githubCoordinate(state.url) ?? '') !== key) return false;
    return areParentsLive({
      source: state,
      ...(orgId !== null && { org: foldEvents(org, await eventsOf('org', orgId)) }),
    });
  };

  const kinds = {
    org: { prefix: 'org', isLive: isOrgLive },
    source: { prefix: 'src', isLive: isSourceLive },
  } as const;

  async function placeOf(category: keyof typeof kinds, key: string): Promise<EntityPlace> {
    const { prefix, isLive } = kinds[category];
    for (let gone = 0; ; gone += 1) {
      const commandId = uuidV5(`${category} ${key} ${gone}`, namespace);
      const id = newEntityId(prefix, commandId);
      const { version, events } = await store.read(streamOf(category, id));
      if (version === 0) return { commandId, livingId: null };
      if (await isLive(events, key)) return { commandId, livingId: id };
    }
  }

  return { orgFor: (key) => placeOf('org', key), sourceFor: (key) => placeOf('source', key) };
}
