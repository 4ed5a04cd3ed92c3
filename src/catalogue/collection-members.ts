import type { CollectionDocument } from '../../projections/collections/collections.ts';
import type { OrgDocument } from '../../projections/org/org.ts';
import type { ProductDocument } from '../../projections/product/product.ts';
import { compareCodeUnits } from '../domain/alphabetical.ts';
import type { CollectionMember } from '../domain/collection/events.ts';
import { comparePositions } from '../domain/collection/members.ts';
import { byName } from '../domain/name-key.ts';
import { isVisible } from '../domain/release/visible.ts';
import type { Entities } from './entities.ts';

/** A member that everybody sees: an org, or a product of that org. */
export interface VisibleMember {
  readonly member: CollectionMember;
  readonly org: OrgDocument;
  readonly product: ProductDocument | null;
}

/** Position, name, slug (contract 2.6); the id where all three are the same. */
const compareMembers = (a: VisibleMember, b: VisibleMember): number => {
  const [first, second] = [a.product ?? a.org, b.product ?? b.org];
  return (
    comparePositions(a.member, b.member) ||
    compareCodeUnits(first.nameKey, second.nameKey) ||
    compareCodeUnits(first.slug, second.slug) ||
    byName(first, second)
  );
};

/** Kept until one of them changes: of 500 collections with 500 members each, a page would sort 250,000. */
export const createCollectionMembers = (entities: Pick<Entities['reads'], 'org' | 'product'>) => {
  const visible = new Map<string, readonly VisibleMember[]>();
  /** By org and product, the collections whose members were made of it. */
  const madeOf = new Map<string, Set<string>>();

  const note = (entityId: string, collectionId: string) => {
    const collectionIds = madeOf.get(entityId);
    if (collectionIds === undefined) madeOf.set(entityId, new Set([collectionId]));
    else collectionIds.add(collectionId);
  };

  const make = ({ id, members }: CollectionDocument): readonly VisibleMember[] => {
    const found: VisibleMember[] = [];
    for (const member of members) {
      const product = entities.product(member.id) ?? null;
      const orgId = product?.orgId ?? member.id;
      const org = entities.org(orgId);
      note(member.id, id);
      note(orgId, id);
      if (org !== undefined && isVisible(org) && (product === null || isVisible(product))) {
        found.push({ member, org, product });
      }
    }
    return found.sort(compareMembers);
  };

  return {
    /** In the order of lists. */
    of: (collection: CollectionDocument): readonly VisibleMember[] => {
      const known = visible.get(collection.id);
      if (known !== undefined) return known;
      const members = make(collection);
      visible.set(collection.id, members);
      return members;
    },
    /** An org or a product. */
    entityChanged: (id: string) => {
      for (const collectionId of madeOf.get(id) ?? []) visible.delete(collectionId);
      madeOf.delete(id);
    },
    collectionChanged: (id: string) => {
      visible.delete(id);
    },
  };
};
