import { catalogueReads } from '../../src/catalogue/catalogue.ts';
import { instantsOfSources } from '../../src/catalogue/entity-numbers.ts';
import { resolveOrg } from '../../src/catalogue/resolve.ts';
import { sightOn, visibleSourcesOf } from '../../src/catalogue/visibility.ts';
import { heatmapOf } from '../shape/heatmap.ts';
import type { Asking, QueryDeps } from '../shape/query-deps.ts';

export const orgHeatmapReads = catalogueReads;

export const orgHeatmap = (
  { catalogue }: Pick<QueryDeps, 'catalogue'>,
  { org: identifier }: { readonly org: string },
  { nowMs, admin }: Asking,
) => {
  const org = resolveOrg(catalogue, identifier, admin);
  const sources = visibleSourcesOf(catalogue, org.id, sightOn(admin, org.id));
  return { org: { slug: org.slug, name: org.name }, ...heatmapOf(instantsOfSources(catalogue, sources), nowMs) };
};
