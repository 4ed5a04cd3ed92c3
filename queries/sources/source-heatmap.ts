import { catalogueReads } from '../../src/catalogue/catalogue.ts';
import { instantsOfSource } from '../../src/catalogue/entity-numbers.ts';
import { sightOn } from '../../src/catalogue/visibility.ts';
import type { SourceDocument } from '../../projections/source/source.ts';
import { heatmapOf } from '../shape/heatmap.ts';
import type { Asking, QueryDeps } from '../shape/query-deps.ts';
import { sourceHead } from '../shape/source/source-head.ts';

export const sourceHeatmapReads = catalogueReads;

export const sourceHeatmap = (
  { catalogue }: Pick<QueryDeps, 'catalogue'>,
  source: SourceDocument,
  { nowMs, admin }: Asking,
) => {
  const instants = instantsOfSource(catalogue, source, sightOn(admin, source.id, source.orgId));
  return {
    source: sourceHead(catalogue, source),
    ...heatmapOf(instants, nowMs),
  };
};
