import type { OrgDocument } from '../../../projections/org/org.ts';
import type { ProductDocument } from '../../../projections/product/product.ts';
import type { SourceDocument } from '../../../projections/source/source.ts';
import type { Category, Kind } from '../../domain/enumerations.ts';
import { inheritedCategory } from '../../domain/inherited-category.ts';
import { isVisible, isVisibleInOrg } from '../../domain/release/visible.ts';

/** What searches leave out or keep to. What is handed out is the set itself, which goes on changing: nobody keeps it for longer than a search. */
export interface SourceSets {
  /** Those that not everybody sees: hidden or deleted, or their org is. */
  readonly unseen: () => ReadonlySet<string>;
  /** Those that everybody sees whose releases are of that kind. */
  readonly ofKind: (kind: Kind) => ReadonlySet<string>;
  /** Those that everybody sees whose releases belong to that category. */
  readonly ofCategory: (category: Category) => ReadonlySet<string>;
}

interface Placed {
  readonly isPublic: boolean;
  readonly kind: Kind | null;
  readonly category: Category | null;
}

interface Parents {
  readonly org: OrgDocument | undefined;
  readonly product: ProductDocument | undefined;
}

type Entity = OrgDocument | ProductDocument | SourceDocument;

/** As everybody sees it: a product that is not seen gives its sources neither kind nor category. */
export const placeInSets = (source: SourceDocument, { org, product }: Parents): Placed => {
  const isPublic = (part: ProductDocument | SourceDocument) =>
    isVisibleInOrg<Entity>(part, org, (entity) => isVisible(entity));
  const shown = product !== undefined && isPublic(product) ? product : undefined;
  return {
    isPublic: isPublic(source),
    kind: source.kind ?? shown?.kind ?? null,
    category: inheritedCategory(shown?.category, org?.category),
  };
};

/** Kept as sources change, so that no search walks through all of them. */
export const createSourceSets = () => {
  const unseen = new Set<string>();
  const byGroup = new Map<string, Set<string>>();
  const groupsOf = new Map<string, readonly Set<string>[]>();

  const groupOf = (name: string): Set<string> => {
    const known = byGroup.get(name);
    if (known !== undefined) return known;
    const made = new Set<string>();
    byGroup.set(name, made);
    return made;
  };

  const namesOf = ({ isPublic, kind, category }: Placed): string[] => {
    if (!isPublic) return [];
    return [...(kind === null ? [] : [`kind ${kind}`]), ...(category === null ? [] : [`category ${category}`])];
  };

  return {
    /** Null: it is gone for good. */
    place: (sourceId: string, placed: Placed | null) => {
      for (const group of groupsOf.get(sourceId) ?? []) group.delete(sourceId);
      const groups = placed === null ? [] : namesOf(placed).map(groupOf);
      for (const group of groups) group.add(sourceId);
      if (groups.length === 0) groupsOf.delete(sourceId);
      else groupsOf.set(sourceId, groups);
      if (placed === null || placed.isPublic) unseen.delete(sourceId);
      else unseen.add(sourceId);
    },
    reads: {
      unseen: () => unseen,
      ofKind: (kind) => groupOf(`kind ${kind}`),
      ofCategory: (category) => groupOf(`category ${category}`),
    } satisfies SourceSets,
  };
};
