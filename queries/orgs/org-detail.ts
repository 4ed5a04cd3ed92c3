import type { OrgDocument } from '../../projections/org/org.ts';
import type { OverviewDocument } from '../../projections/overviews/overviews.ts';
import type { ProductDocument } from '../../projections/product/product.ts';
import type { SourceDocument } from '../../projections/source/source.ts';
import { catalogueReads, type NumberedEntities } from '../../src/catalogue/catalogue.ts';
import { instantsOfProduct, instantsOfSources } from '../../src/catalogue/entity-numbers.ts';
import { avgReleasesPerWeek, recentReleaseCount, releaseCount } from '../../src/catalogue/numbers.ts';
import { resolveOrg } from '../../src/catalogue/resolve.ts';
import {
  type Sight,
  sightOn,
  visibleProductsOf,
  visibleSourcesOf,
  visibleSourcesOfProduct,
} from '../../src/catalogue/visibility.ts';
import { alphabeticalSet } from '../../src/domain/alphabetical.ts';
import { byName } from '../../src/domain/name-key.ts';
import { overviewReads, shownOverview } from '../overview.ts';
import type { Asking, QueryDeps } from '../shape/query-deps.ts';
import { shownAccounts } from '../shape/accounts.ts';
import { shownLocations } from '../shape/locations.ts';
import { orgRecord } from '../shape/org-record.ts';
import { orgOverview } from '../shape/overview.ts';
import { type SourceRecord, sourceRecord } from '../shape/source/source-record.ts';
import { newestTimestamp } from '../shape/timestamps.ts';
import { trackingSince } from '../shape/tracking-since.ts';

export const orgDetailReads = [...catalogueReads, ...overviewReads];

const productEntry = (catalogue: NumberedEntities, product: ProductDocument, sight: Sight, nowMs: number) => ({
  id: product.id,
  slug: product.slug,
  name: product.name,
  url: product.url,
  description: product.description,
  kind: product.kind,
  createdAt: product.createdAt,
  sourceCount: visibleSourcesOfProduct(catalogue, product.id, sight).length,
  releaseCount: releaseCount(instantsOfProduct(catalogue, product.id, sight), nowMs),
});

export interface KnownOrg {
  readonly org: OrgDocument;
  /** Its visible sources by name, and the record of each. */
  readonly sources: readonly SourceDocument[];
  readonly records: readonly SourceRecord[];
  readonly overview: OverviewDocument | undefined;
}

/** An org of which all is known, at some moment. */
export const orgDetailOf = (
  catalogue: NumberedEntities,
  { org, sources, records, overview }: KnownOrg,
  sight: Sight,
  nowMs: number,
) => {
  const products = visibleProductsOf(catalogue, org.id, sight).sort(byName);
  const instants = instantsOfSources(catalogue, sources);
  return {
    ...orgRecord(org),
    isHidden: org.hidden,
    autoGenerateContent: org.autoGenerateContent,
    fetchPaused: org.fetchPaused,
    overviewCadenceDays: org.overviewCadenceDays,
    discovery: org.discovery,
    tags: alphabeticalSet(org.tags),
    aliases: alphabeticalSet(org.aliases),
    accounts: shownAccounts(org),
    sourceCount: sources.length,
    releaseCount: releaseCount(instants, nowMs),
    releasesLast30Days: recentReleaseCount(instants, nowMs),
    avgReleasesPerWeek: avgReleasesPerWeek(instants, nowMs),
    lastFetchedAt: newestTimestamp(records.map(({ lastFetchedAt }) => lastFetchedAt)),
    lastPolledAt: newestTimestamp(records.map(({ lastPolledAt }) => lastPolledAt)),
    trackingSince: trackingSince(instants, org, nowMs),
    locations: shownLocations(catalogue, org.locations, sources, sight),
    products: products.map((product) => productEntry(catalogue, product, sight, nowMs)),
    sources: records,
    overview: overview === undefined ? null : orgOverview(org, overview),
    notice: org.notice,
  };
};

export type OrgDetail = ReturnType<typeof orgDetailOf>;

/** An org with all that is its own; the playbook is added for those who may read it. */
export const orgDetail = async (
  deps: Pick<QueryDeps, 'models' | 'catalogue' | 'fetchStates'>,
  { org: identifier }: { readonly org: string },
  asking: Asking,
): Promise<OrgDetail> => {
  const { catalogue } = deps;
  const { nowMs, admin } = asking;
  const org = resolveOrg(catalogue, identifier, admin);
  const sight = sightOn(admin, org.id);
  const sources = visibleSourcesOf(catalogue, org.id, sight).sort(byName);
  const [overview, states] = await Promise.all([
    shownOverview(deps, org.id, nowMs),
    deps.fetchStates(sources.map(({ id }) => id)),
  ]);
  const records = sources.map((source, index) =>
    sourceRecord(deps, { source, fetched: states[index]! }, sight, asking),
  );
  return orgDetailOf(catalogue, { org, sources, records, overview }, sight, nowMs);
};
