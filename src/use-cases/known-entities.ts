import { foldStream } from '../concurrency/stream-pages.ts';
import { name } from '../domain/name/state.ts';
import { handleName, orgSlugName, packageName, sourceSlugName } from '../domain/name/name-streams.ts';
import type { Lifetime } from '../domain/lifecycle.ts';
import { accountKey, type OrgAccount } from '../domain/org/accounts.ts';
import { org } from '../domain/org/state.ts';
import type { PackageRef } from '../domain/source/events.ts';
import { source } from '../domain/source/state.ts';
import type { DomainEvent } from '../kernel/event.ts';
import type { Model } from '../kernel/model.ts';
import { parseStream } from '../kernel/stream-name.ts';
import type { EventStore } from '../ports/event-store.ts';

/** Finds living entities by a name that they hold, in the event store itself: no read model has to be filled. */
export interface KnownEntities {
  readonly orgBySlug: (slug: string) => Promise<string | null>;
  readonly orgByAccount: (account: OrgAccount) => Promise<string | null>;
  /** Null for one without an org. */
  readonly sourceBySlug: (orgId: string | null, slug: string) => Promise<string | null>;
  readonly sourceByPackage: (ref: PackageRef) => Promise<string | null>;
}

export function createKnownEntities(store: Pick<EventStore, 'read'>): KnownEntities {
  const models: Readonly<Record<'org' | 'source', Model<Lifetime, DomainEvent>>> = { org, source };

  /** A claim whose owner never came to be, or is gone, is none. */
  async function ownerOf(nameStream: string, kind: keyof typeof models): Promise<string | null> {
    const { owner } = (await foldStream(store, name, nameStream)).state;
    if (owner === null) return null;
    const { lifecycle } = (await foldStream(store, models[kind], owner)).state;
    return lifecycle === 'live' ? parseStream(owner).id : null;
  }

  return {
    orgBySlug: (slug) => ownerOf(orgSlugName(slug), 'org'),
    orgByAccount: (account) => ownerOf(handleName(accountKey(account)), 'org'),
    sourceBySlug: (orgId, slug) => ownerOf(sourceSlugName(orgId, slug), 'source'),
    sourceByPackage: (ref) => ownerOf(packageName(ref.ecosystem, ref.name), 'source'),
  };
}
