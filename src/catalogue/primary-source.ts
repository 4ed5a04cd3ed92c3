import type { SourceDocument } from '../../projections/source/source.ts';
import type { EntityReads } from './catalogue.ts';

/** The product that a source is grouped under, or '' for those of its org without one; a deleted product groups nothing. */
const groupOf = (catalogue: EntityReads, { productId }: SourceDocument): string =>
  productId !== null && catalogue.product(productId)?.deletedAt === null ? productId : '';

/**
 * Whoever asks to be the primary source clears it on its siblings (contract 14.3): of a group only the last one to ask
 * can be it. When that one gives it up, is deleted or moves away, the group has none.
 */
export const isPrimarySource = (catalogue: EntityReads, source: SourceDocument): boolean => {
  if (!source.isPrimary || source.deletedAt !== null) return false;
  const group = groupOf(catalogue, source);
  const asked = source.primaryAsks[group];
  if (asked === undefined) return false;
  const siblings = source.orgId === null ? [] : catalogue.sourcesOfOrg(source.orgId);
  return siblings.every(({ primaryAsks }) => (primaryAsks[group] ?? 0) <= asked);
};
