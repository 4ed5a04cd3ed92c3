import type { SourceDocument } from '../../projections/source/source.ts';
import type { Catalogue } from './catalogue.ts';

/** The product that a source is grouped under; a deleted one groups nothing. */
const groupOf = (catalogue: Catalogue, { productId }: SourceDocument): string | null =>
  productId !== null && catalogue.product(productId)?.deletedAt === null ? productId : null;

const siblingsOf = (catalogue: Catalogue, source: SourceDocument): readonly SourceDocument[] => {
  const productId = groupOf(catalogue, source);
  if (productId !== null) return catalogue.sourcesOfProduct(productId);
  if (source.orgId === null) return [source];
  return catalogue.sourcesOfOrg(source.orgId).filter((sibling) => groupOf(catalogue, sibling) === null);
};

/** Of the siblings that asked to be the primary source, the one that asked last is it. */
export const isPrimarySource = (catalogue: Catalogue, source: SourceDocument): boolean => {
  const since = source.primarySince;
  if (since === null || source.deletedAt !== null) return false;
  return siblingsOf(catalogue, source).every(
    (sibling) => sibling.deletedAt !== null || (sibling.primarySince ?? -1) <= since,
  );
};
