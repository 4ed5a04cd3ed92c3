import { lookupsProjection } from '../../projections/lookups/lookups.ts';
import type { SourceDocument } from '../../projections/source/source.ts';
import { catalogueReads } from '../../src/catalogue/catalogue.ts';
import { allSight, isSourceVisible } from '../../src/catalogue/visibility.ts';
import type { QueryDeps } from '../shape/query-deps.ts';

export const sourceByCoordinateReads = [...catalogueReads, lookupsProjection];

/** Several sources of one repository are rare; nobody needs all of them to choose one. */
const rowsMax = 100;

/**
 * The source of a repository, hidden or not; null when none is there. Of several it is one that everybody sees, if there is
 * one, and of those the oldest.
 */
export const sourceByCoordinate = async (
  { models, catalogue }: Pick<QueryDeps, 'models' | 'catalogue'>,
  coordinate: string,
): Promise<SourceDocument | null> => {
  const equals = { kind: 'coordinate', key: coordinate.toLowerCase() };
  const rows = await models.of(lookupsProjection).query({ index: 'byKey', equals, limit: rowsMax });
  const sources = rows
    .flatMap(({ entityId }) => catalogue.source(entityId) ?? [])
    .filter((source) => isSourceVisible(catalogue, source, allSight))
    .sort((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : a.id < b.id ? -1 : 1));
  return sources.find((source) => isSourceVisible(catalogue, source)) ?? sources[0] ?? null;
};
