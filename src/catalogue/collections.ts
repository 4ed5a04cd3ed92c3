import type { CollectionDocument } from '../../projections/collections/collections.ts';
import { byName } from '../domain/name-key.ts';
import { createDocsByNames } from './docs-by-names.ts';
import { createGroups } from './groups.ts';
import { createSortedList } from './lists/sorted-list.ts';

/** Collections in the order of their list, so that a page of it costs the same however many there are. */
export const createCollections = () => {
  const known = new Map<string, CollectionDocument>();
  const bySlug = createGroups<CollectionDocument>(({ slug }) => slug);
  const byEarlierSlug = createDocsByNames<CollectionDocument>(({ earlierSlugs }) =>
    earlierSlugs.map(({ slug }) => slug),
  );
  /** By org and product, the ids of those that it is a member of. */
  const byMember = new Map<string, Set<string>>();
  const every = createSortedList<CollectionDocument>(byName);
  const featured = createSortedList<CollectionDocument>(byName);
  const listsOf = ({ isFeatured }: CollectionDocument) => (isFeatured ? [every, featured] : [every]);

  const remove = (id: string) => {
    const before = known.get(id);
    if (before === undefined) return;
    for (const list of listsOf(before)) list.remove(before);
    bySlug.remove(before);
    byEarlierSlug.remove(before);
    for (const member of before.members) {
      const having = byMember.get(member.id);
      having?.delete(id);
      if (having?.size === 0) byMember.delete(member.id);
    }
    known.delete(id);
  };

  return {
    apply: (collection: CollectionDocument) => {
      remove(collection.id);
      for (const list of listsOf(collection)) list.add(collection);
      bySlug.replace(undefined, collection);
      byEarlierSlug.replace(undefined, collection);
      for (const member of collection.members) {
        const having = byMember.get(member.id);
        if (having === undefined) byMember.set(member.id, new Set([collection.id]));
        else having.add(collection.id);
      }
      known.set(collection.id, collection);
    },
    remove,
    reads: {
      collection: (id: string) => known.get(id),
      collectionBySlug: (slug: string) => bySlug.of(slug)[0],
      collectionsByEarlierSlug: byEarlierSlug.of,
      collections: () => every.items(),
      featuredCollections: () => featured.items(),
      collectionsWith: (memberId: string) =>
        Array.from(byMember.get(memberId) ?? [], (id) => known.get(id) as CollectionDocument),
    },
  };
};
