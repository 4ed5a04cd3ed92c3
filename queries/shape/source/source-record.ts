import type { SourceDocument } from '../../../projections/source/source.ts';
import type { NumberedEntities } from '../../../src/catalogue/catalogue.ts';
import { instantsOfSource } from '../../../src/catalogue/entity-numbers.ts';
import { medianGapDays, newestFetchedMs, releaseCount } from '../../../src/catalogue/numbers.ts';
import { isPrimarySource } from '../../../src/catalogue/primary-source.ts';
import { type Sight, shownProduct } from '../../../src/catalogue/visibility.ts';
import { latestVersion } from '../latest-version.ts';
import type { Asking } from '../query-deps.ts';
import { orgOf } from '../release/feed-item.ts';
import type { FetchState } from '../../../src/records/fetch-state.ts';
import { metadataText } from './source-metadata.ts';
import { timestampOrNull } from '../timestamps.ts';

/** A source as lists and the detail of its org show it (contract 5.1). */
export const sourceRecord = (
  { catalogue }: { readonly catalogue: NumberedEntities },
  { source, fetched }: { readonly source: SourceDocument; readonly fetched: FetchState },
  sight: Sight,
  { nowMs, admin }: Asking,
) => {
  const instants = instantsOfSource(catalogue, source, sight);
  const org = orgOf(catalogue, source);
  const product = shownProduct(catalogue, source, sight);
  return {
    id: source.id,
    slug: source.slug,
    name: source.name,
    type: source.type,
    url: source.url,
    orgSlug: org?.slug ?? null,
    orgName: org?.name ?? null,
    productName: product?.name ?? null,
    productSlug: product?.slug ?? null,
    kind: source.kind,
    isPrimary: isPrimarySource(catalogue, source),
    isHidden: source.hidden,
    discovery: source.discovery,
    fetchPriority: source.fetchPriority,
    metadata: metadataText(source, admin),
    releaseCount: releaseCount(instants, nowMs),
    ...latestVersion(catalogue, source.id, nowMs),
    latestAddedAt: timestampOrNull(newestFetchedMs(instants, nowMs)),
    medianGapDays: medianGapDays(instants, nowMs),
    ...fetched,
  };
};

export type SourceRecord = ReturnType<typeof sourceRecord>;
