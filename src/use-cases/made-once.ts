import { v5 as uuidV5 } from 'uuid';
import { foldStream } from '../concurrency/stream-pages.ts';
import { org } from '../domain/org/state.ts';
import { areParentsLive } from '../domain/release/visible.ts';
import { githubCoordinate } from '../domain/source/github-coordinate.ts';
import { source } from '../domain/source/state.ts';
import { newEntityId } from '../kernel/ids.ts';
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

interface FoundEntity {
  /** Also of one that is gone. */
  readonly isThere: boolean;
  readonly isLive: boolean;
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
  const orgAt = async (id: string) => foldStream(store, org, streamOf('org', id));

  const lookAtOrg = async (id: string): Promise<FoundEntity> => {
    const { version, state } = await orgAt(id);
    return { isThere: version > 0, isLive: state.lifecycle === 'live' };
  };

  /** One that an admin has pointed at another repository is not the one that was made for this. */
  const lookAtSource = async (id: string, key: string): Promise<FoundEntity> => {
    const { version, state } = await foldStream(store, source, streamOf('source', id));
    const { orgId } = state;
    if (version === 0) return { isThere: false, isLive: false };
    if (repositoryKey(githubCoordinate(state.url) ?? '') !== key) return { isThere: true, isLive: false };
    const parent = orgId === null ? null : (await orgAt(orgId)).state;
    return { isThere: true, isLive: areParentsLive({ source: state, ...(parent !== null && { org: parent }) }) };
  };

  const kinds = {
    org: { prefix: 'org', look: lookAtOrg },
    source: { prefix: 'src', look: lookAtSource },
  } as const;

  async function placeOf(category: keyof typeof kinds, key: string): Promise<EntityPlace> {
    const { prefix, look } = kinds[category];
    for (let gone = 0; ; gone += 1) {
      const commandId = uuidV5(`${category} ${key} ${gone}`, namespace);
      const id = newEntityId(prefix, commandId);
      const { isThere, isLive } = await look(id, key);
      if (!isThere) return { commandId, livingId: null };
      if (isLive) return { commandId, livingId: id };
    }
  }

  return { orgFor: (key) => placeOf('org', key), sourceFor: (key) => placeOf('source', key) };
}
