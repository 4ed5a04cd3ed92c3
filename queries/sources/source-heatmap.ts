import { catalogueReads } from '../../src/catalogue/catalogue.ts';
import { instantsOfSource } from '../../src/catalogue/entity-numbers.ts';
import { sightOn } from '../../src/catalogue/visibility.ts';
import type { SourceDocument } from '../../projections/source/source.ts';
import { orgOf } from '../shape/feed-item.ts';
import { heatmapOf } from '../shape/heatmap.ts';
import type { Asking, QueryDeps } from '../shape/query-deps.ts';

export const sourceHeatmapReads = catalogueReads;

export const sourceHeatmap = (
  { catalogue }: Pick<QueryDeps, 'catalogue'>,
  source: SourceDocument,
  { nowMs, admin }: Asking,
) => {
  const { slug, name } = source;
  const org = orgOf(catalogue, source);
  const instants = instantsOfSource(catalogue, source, sightOn(admin, source.id, source.orgId));
  return {
    source: { slug, name, orgSlug: org?.slug ?? null, orgName: org?.name ?? null },
    ...heatmapOf(instants, nowMs),
  };
};
