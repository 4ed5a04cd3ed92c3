import type { BodyPartStored } from '../../../src/domain/body/events.ts';
import type { OrgStatus } from '../../../src/domain/enumerations.ts';
import type { OrgAccount } from '../../../src/domain/org/accounts.ts';
import type { OrgEvent, OrgFields } from '../../../src/domain/org/events.ts';
import type { OverviewEvent, OverviewWritten, StoredOverview } from '../../../src/domain/overview/events.ts';
import type { PlaybookEvent } from '../../../src/domain/playbook/events.ts';
import type { ProductEvent, ProductFields } from '../../../src/domain/product/events.ts';
import type { CoverageLinked } from '../../../src/domain/release/coverage/events.ts';
import type { ReleaseDerived, ReleaseEvent, ReleaseGiven } from '../../../src/domain/release/events.ts';
import type { SourceEvent, SourceFields } from '../../../src/domain/source/events.ts';
import type { TagCreated } from '../../../src/domain/tag/events.ts';
import type { RecordedEvent } from '../../../src/kernel/event.ts';
import { collectionsAfter, type NaiveCollection, type NaiveSiteNotice, siteNoticeAfter } from './naive-collections.ts';
import { change, eventsOf, type Recorded } from './naive-events.ts';
import { changelogFilesAfter, type NaiveChangelogFile, type NaiveSummary, summariesAfter } from './naive-texts.ts';

interface NaiveEntity {
  readonly id: string;
  readonly createdAt: string;
  readonly hidden: boolean;
  readonly deleted: boolean;
  /** For good: nothing leads to it any more. */
  readonly purged: boolean;
}

/** With the releases that a generated one tells of: it goes with them. */
type NaiveOverview = StoredOverview & { readonly goesWith: readonly string[] };

const overviewOf = ({ data, metadata }: Recorded<OverviewWritten>): NaiveOverview => {
  const { shownReleaseIds = [], ...overview } = data;
  const cited = data.citations.flatMap(({ releaseId }) => releaseId ?? []);
  return { ...overview, goesWith: metadata.cause === 'generate' ? [...cited, ...shownReleaseIds] : [] };
};

export type NaiveOrg = NaiveEntity &
  OrgFields & {
    readonly status: OrgStatus;
    readonly accounts: readonly OrgAccount[];
    readonly trackingRequestedAt: string | null;
    readonly overview: NaiveOverview | null;
    readonly playbook: { readonly content: string; readonly updatedAt: string } | null;
  };
export type NaiveProduct = NaiveEntity &
  ProductFields & { readonly orgId: string; readonly slug: string; readonly overview: NaiveOverview | null };
export type NaiveSource = NaiveEntity &
  SourceFields & {
    readonly orgId: string | null;
    /** Each event that asked for it to be the primary source, with the product it had then. */
    readonly primaryAsks: readonly { readonly productId: string | null; readonly position: number }[];
  };

export interface NaiveRelease {
  readonly id: string;
  readonly sourceId: string;
  readonly given: ReleaseGiven;
  readonly derived: ReleaseDerived;
  readonly content: string;
  readonly fetchedAt: string;
  /** When its last revision was recorded. */
  readonly revisedAt: string;
  readonly revision: number;
  readonly erased: boolean;
  readonly suppressed: boolean;
  readonly suppressedReason: string | null;
  readonly coverageOf: string | null;
  readonly coverage: Pick<CoverageLinked['data'], 'canonicalId' | 'reason' | 'decidedBy' | 'decidedAt'> | null;
  /** Stored ahead of its date, and nobody has said since that the date has come. */
  readonly pending: boolean;
}

/** The slug of an org, product or source after an event that changed it or who sees it. */
export interface NaiveSlug {
  readonly entityId: string;
  readonly slug: string;
  readonly hidden: boolean;
  readonly commandId: string;
}

/** What happened, as tables with one row for everything that ever was. */
export interface NaiveRegistry {
  readonly orgs: readonly NaiveOrg[];
  readonly products: readonly NaiveProduct[];
  readonly sources: readonly NaiveSource[];
  readonly releases: readonly NaiveRelease[];
  readonly slugs: readonly NaiveSlug[];
  readonly collections: readonly NaiveCollection[];
  readonly tags: readonly TagCreated['data'][];
  readonly siteNotice: NaiveSiteNotice | null;
  readonly summaries: readonly NaiveSummary[];
  readonly changelogFiles: readonly NaiveChangelogFile[];
}

const newborn = { hidden: false, deleted: false, purged: false };
const gone = { deleted: true, purged: true };

const withOverviews = <Row extends { readonly id: string; readonly overview: NaiveOverview | null }>(
  rows: readonly Row[],
  events: readonly RecordedEvent[],
): Row[] => {
  const written = eventsOf<OverviewEvent>(events, 'overview');
  return rows.map((row) => {
    const last = written.findLast(({ stream }) => stream.id === row.id);
    return { ...row, overview: last?.type === 'OverviewWritten.v1' ? overviewOf(last) : null };
  });
};

const orgsAfter = (events: readonly RecordedEvent[]): NaiveOrg[] => {
  let orgs: NaiveOrg[] = [];
  for (const event of eventsOf<OrgEvent>(events, 'org')) {
    const { id } = event.stream;
    if (event.type === 'OrgCreated.v1') {
      const nothingYet = { accounts: [], trackingRequestedAt: null, overview: null, playbook: null };
      orgs = [...orgs, { id, ...newborn, ...nothingYet, ...event.data }];
    }
    if (event.type === 'OrgChanged.v1') orgs = change(orgs, id, event.data.changed);
    if (event.type === 'OrgHidden.v1') orgs = change(orgs, id, { hidden: true });
    if (event.type === 'OrgUnhidden.v1') orgs = change(orgs, id, { hidden: false });
    if (event.type === 'OrgDeleted.v1') orgs = change(orgs, id, { deleted: true });
    if (event.type === 'OrgRestored.v1') orgs = change(orgs, id, { deleted: false });
    if (event.type === 'OrgPurged.v1') orgs = change(orgs, id, gone);
    const { accounts = [], locations = [] } = orgs.find((org) => org.id === id) ?? {};
    if (event.type === 'OrgPromoted.v1') {
      const { sources } = event.data;
      const made = locations.map((each) => ({ ...each, sourceId: sources[each.id] ?? each.sourceId }));
      orgs = change(orgs, id, { status: 'tracked', locations: made, trackingRequestedAt: null });
    }
    if (event.type === 'OrgDemoted.v1') {
      orgs = change(orgs, id, { status: 'stub', locations: locations.map((each) => ({ ...each, sourceId: null })) });
    }
    if (event.type === 'OrgTrackingRequested.v1') {
      orgs = change(orgs, id, { trackingRequestedAt: event.data.requestedAt });
    }
    if (event.type === 'OrgAccountLinked.v1') orgs = change(orgs, id, { accounts: [...accounts, event.data] });
    if (event.type === 'OrgAccountUnlinked.v1') {
      const { platform, handle } = event.data;
      const others = accounts.filter((each) => each.platform !== platform || each.handle !== handle);
      orgs = change(orgs, id, { accounts: others });
    }
  }
  for (const { stream, type, data } of eventsOf<PlaybookEvent>(events, 'playbook')) {
    orgs = change(orgs, stream.id, { playbook: type === 'PlaybookWritten.v1' ? data : null });
  }
  return withOverviews(orgs, events);
};

const productsAfter = (events: readonly RecordedEvent[]): NaiveProduct[] => {
  let products: NaiveProduct[] = [];
  for (const event of eventsOf<ProductEvent>(events, 'product')) {
    const { id } = event.stream;
    if (event.type === 'ProductCreated.v1') products = [...products, { id, ...newborn, overview: null, ...event.data }];
    if (event.type === 'ProductChanged.v1') products = change(products, id, event.data.changed);
    if (event.type === 'ProductHidden.v1') products = change(products, id, { hidden: true });
    if (event.type === 'ProductUnhidden.v1') products = change(products, id, { hidden: false });
    if (event.type === 'ProductDeleted.v1') products = change(products, id, { deleted: true });
    if (event.type === 'ProductRestored.v1') products = change(products, id, { deleted: false });
    if (event.type === 'ProductPurged.v1') products = change(products, id, gone);
  }
  return withOverviews(products, events);
};

const sourcesAfter = (events: readonly RecordedEvent[]): NaiveSource[] => {
  let sources: NaiveSource[] = [];
  for (const event of eventsOf<SourceEvent>(events, 'source')) {
    const { position } = event;
    const { id } = event.stream;
    if (event.type === 'SourceCreated.v1') {
      const { isPrimary, productId } = event.data;
      const primaryAsks = isPrimary ? [{ productId, position }] : [];
      sources = [...sources, { id, ...newborn, ...event.data, primaryAsks }];
    }
    if (event.type === 'SourceChanged.v1') {
      const { changed, isPrimaryWithoutProduct } = event.data;
      const { productId, primaryAsks } = { ...sources.find((row) => row.id === id)!, ...changed };
      const group = isPrimaryWithoutProduct ? null : productId;
      const asks = changed.isPrimary ? [...primaryAsks, { productId: group, position }] : primaryAsks;
      sources = change(sources, id, { ...changed, primaryAsks: asks });
    }
    if (event.type === 'SourceHidden.v1') sources = change(sources, id, { hidden: true });
    if (event.type === 'SourceUnhidden.v1') sources = change(sources, id, { hidden: false });
    if (event.type === 'SourceDeleted.v1') sources = change(sources, id, { deleted: true });
    if (event.type === 'SourceRestored.v1') sources = change(sources, id, { deleted: false });
    if (event.type === 'SourcePurged.v1') sources = change(sources, id, gone);
  }
  return sources;
};

/** A text as it was sent: it may lie in the parts of a body stream. */
const textOf = (
  bodyParts: readonly Recorded<BodyPartStored>[],
  id: string,
  stored: ReleaseGiven['content'],
): string => {
  if (typeof stored === 'string') return stored;
  const parts = bodyParts.filter(({ stream }) => stream.name === `body-${id}-${stored.sha256}`);
  return parts
    .sort((a, b) => a.data.part - b.data.part)
    .map(({ data }) => data.text)
    .join('');
};

const releasesAfter = (events: readonly RecordedEvent[]): NaiveRelease[] => {
  const bodyParts = eventsOf<BodyPartStored>(events, 'body').filter(({ type }) => type === 'BodyPartStored.v1');
  let releases: NaiveRelease[] = [];
  for (const event of eventsOf<ReleaseEvent>(events, 'release')) {
    const { id } = event.stream;
    if (event.type === 'ReleaseIndexed.v1') {
      const { sourceId, given, derived, fetchedAt, pending } = event.data;
      const content = textOf(bodyParts, id, given.content);
      const standing = { erased: false, suppressed: false, suppressedReason: null, coverageOf: null, coverage: null };
      const first = { revision: 1, revisedAt: event.metadata.recordedAt };
      const row = { id, sourceId, given, derived, content, fetchedAt, ...first, ...standing, pending };
      releases = [...releases, row];
    }
    if (event.type === 'ReleaseRevised.v1') {
      const { given: changes, derived, revision, pending } = event.data;
      const before = releases.find((release) => release.id === id);
      if (before === undefined) throw new Error(`${id} was revised before it was indexed`);
      const kept = Object.entries({ ...before.given, ...changes }).filter(([, value]) => value !== null);
      const given = Object.fromEntries(kept) as unknown as ReleaseGiven;
      const content = textOf(bodyParts, id, given.content);
      const revisedAt = event.metadata.recordedAt;
      releases = change(releases, id, { given, derived, revision, revisedAt, pending, content });
    }
    if (event.type === 'ReleaseDated.v1') releases = change(releases, id, { pending: false });
    if (event.type === 'ReleaseSuppressed.v1') {
      releases = change(releases, id, { suppressed: true, suppressedReason: event.data.reason });
    }
    if (event.type === 'ReleaseUnsuppressed.v1') {
      releases = change(releases, id, { suppressed: false, suppressedReason: null });
    }
    if (event.type === 'CoverageLinked.v1') {
      const { canonicalId, reason, decidedBy, decidedAt } = event.data;
      const coverage = { canonicalId, reason, decidedBy, decidedAt };
      releases = change(releases, id, { coverageOf: canonicalId, coverage });
    }
    if (event.type === 'CoverageUnlinked.v1') releases = change(releases, id, { coverageOf: null, coverage: null });
    if (event.type === 'ReleaseErased.v1') releases = change(releases, id, { erased: true, pending: false });
  }
  return releases;
};

const slugsAfter = (events: readonly RecordedEvent[]): NaiveSlug[] => {
  const slugs: NaiveSlug[] = [];
  for (const { type, stream, data, metadata } of events) {
    if (!/^(Org|Product|Source)(Created|Changed|Hidden|Unhidden)[.]/.test(type)) continue;
    const { slug, changed } = data as { slug?: string; changed?: { slug?: string } };
    const before = slugs.findLast(({ entityId }) => entityId === stream.id);
    const now = slug ?? changed?.slug ?? before?.slug;
    if (now === undefined) continue;
    const hidden = /Unhidden/.test(type) ? false : /Hidden/.test(type) || before?.hidden === true;
    slugs.push({ entityId: stream.id, slug: now, hidden, commandId: metadata.commandId });
  }
  return slugs;
};

/** The registry as the full list of its events tells it, computed in the dumbest way there is. */
export const naiveRegistry = (events: readonly RecordedEvent[]): NaiveRegistry => ({
  orgs: orgsAfter(events),
  products: productsAfter(events),
  sources: sourcesAfter(events),
  releases: releasesAfter(events),
  slugs: slugsAfter(events),
  collections: collectionsAfter(events),
  tags: eventsOf<TagCreated>(events, 'tag').map(({ data }) => data),
  siteNotice: siteNoticeAfter(events),
  summaries: summariesAfter(events),
  changelogFiles: changelogFilesAfter(events),
});
