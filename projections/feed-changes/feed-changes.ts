import type { CollectionChanged, CollectionEvent } from '../../src/domain/collection/events.ts';
import type { OrgChanged, OrgEvent, OrgPurged } from '../../src/domain/org/events.ts';
import type { ProductChanged, ProductEvent, ProductPurged } from '../../src/domain/product/events.ts';
import type { CoverageLinked, CoverageUnlinked } from '../../src/domain/release/coverage/events.ts';
import type { ReleaseErased, ReleaseRevised } from '../../src/domain/release/events.ts';
import type { SuppressionEvent } from '../../src/domain/release/suppression.ts';
import type { SourceChanged, SourceEvent, SourcePurged } from '../../src/domain/source/events.ts';
import type { DomainEvent, RecordedEvent } from '../../src/kernel/event.ts';
import { defineProjection, type FoldEntry, makesOne, one, put } from '../../src/kernel/projection.ts';

/** When the feeds of an org, product, source or collection last became others without an entry in them that says so. */
export interface FeedChange {
  readonly id: string;
  /** Whose it is; of an org its own id, null for a collection and a source that stands alone. */
  readonly orgId: string | null;
  /** Null while there was nothing but new and revised entries. */
  readonly changedMs: number | null;
}

type ReleaseWithdrawal = SuppressionEvent | CoverageLinked | CoverageUnlinked | ReleaseErased;

const changedAt = (change: FeedChange, { metadata }: Pick<RecordedEvent, 'metadata'>): FeedChange => ({
  ...change,
  // Writers' clocks differ a little: it never goes back.
  changedMs: Math.max(change.changedMs ?? 0, Date.parse(metadata.recordedAt)),
});

/** Its releases come after it, and are new. */
const created = <E extends DomainEvent>(orgIdOf: (event: RecordedEvent<E>) => string | null) =>
  makesOne<FeedChange, E>((event) => ({ id: event.stream.id, orgId: orgIdOf(event), changedMs: null }));

/** It may list releases that are older than itself, at an address where another feed listed them before. */
const createdOfOthers = <E extends DomainEvent>(orgIdOf: (event: RecordedEvent<E>) => string | null) =>
  makesOne<FeedChange, E>((event) => changedAt({ id: event.stream.id, orgId: orgIdOf(event), changedMs: null }, event));

/** Of the entity itself; `isShown`: some feed shows it, or goes by it. */
const changed = <E extends DomainEvent>(isShown: (data: E['data']) => boolean = () => true) =>
  one<FeedChange, E>((change, event) => change && (isShown(event.data) ? changedAt(change, event) : change));

const purgedDoc = (
  change: FeedChange | undefined,
  event: RecordedEvent<OrgPurged | ProductPurged | SourcePurged>,
): FeedChange => {
  const { stream, data } = event;
  return changedAt(
    change ?? { id: stream.id, orgId: 'orgId' in data ? data.orgId : stream.id, changedMs: null },
    event,
  );
};

/** Its stream begins here after a rebuild, and what it took from feeds is as gone as before. */
const purged = <E extends OrgPurged | SourcePurged>() => one<FeedChange, E>(purgedDoc);

/** From here on its address may be that of a source with the same slug, which knows its org but not who was before it. */
const purgedProduct: FoldEntry<FeedChange, ProductPurged> = {
  load: ({ stream, data }) => [stream.id, data.orgId],
  changesOnlyLoaded: true,
  fold: (docs, event) => {
    const org = docs.get(event.data.orgId);
    const product = put(purgedDoc(docs.get(event.stream.id), event));
    return org === undefined ? [product] : [product, put(changedAt(org, event))];
  },
};

const ofSource = <E extends ReleaseWithdrawal | ReleaseRevised>(
  isWithdrawal: (data: E['data']) => boolean = () => true,
): FoldEntry<FeedChange, E> => ({
  load: ({ data }) => [data.sourceId],
  changesOnlyLoaded: true,
  fold: (docs, event) => {
    const change = docs.get(event.data.sourceId);
    return change === undefined || !isWithdrawal(event.data) ? [] : [put(changedAt(change, event))];
  },
});

/**
 * A revision that leaves its release where it is shows in the entry itself. Another one may take it out of the feed: a
 * prerelease is in none, and its date, which may stand in its title, says where it comes.
 */
const mayLeaveItsFeed = ({ given, derived }: ReleaseRevised['data']): boolean =>
  derived.prerelease || ['prerelease', 'version', 'publishedAt', 'title'].some((field) => field in given);

const names =
  (...fields: readonly string[]) =>
  ({ changed }: { readonly changed: object }): boolean =>
    fields.some((field) => field in changed);

/**
 * The entries of a feed tell when they were changed, and nothing in it tells what was taken out, put back or renamed since:
 * so a reader who knows only the date of the newest entry may have another feed. One document for each entity, written
 * before what feeds are read from: whoever sees that something is gone also finds when.
 */
export const feedChangesProjection = defineProjection<
  FeedChange,
  OrgEvent | ProductEvent | SourceEvent | CollectionEvent | ReleaseWithdrawal | ReleaseRevised
>({
  name: 'feed-changes',
  generation: 1,
  indexes: { byOrg: ['orgId', 'changedMs'], all: ['changedMs'] },
  on: {
    'OrgCreated.v1': created(({ stream }) => stream.id),
    'OrgChanged.v1': changed<OrgChanged>(names('name', 'slug', 'category')),
    'OrgHidden.v1': changed(),
    'OrgUnhidden.v1': changed(),
    'OrgDeleted.v1': changed(),
    'OrgRestored.v1': changed(),
    'OrgPurged.v1': purged<OrgPurged>(),
    'ProductCreated.v1': createdOfOthers(({ data }) => data.orgId),
    'ProductChanged.v1': changed<ProductChanged>(names('name', 'category')),
    'ProductHidden.v1': changed(),
    'ProductUnhidden.v1': changed(),
    'ProductDeleted.v1': changed(),
    'ProductRestored.v1': changed(),
    'ProductPurged.v1': purgedProduct,
    'SourceCreated.v1': created(({ data }) => data.orgId),
    'SourceChanged.v1': changed<SourceChanged>(names('name', 'slug', 'productId')),
    'SourceHidden.v1': changed(),
    'SourceUnhidden.v1': changed(),
    'SourceDeleted.v1': changed(),
    'SourceRestored.v1': changed(),
    'SourcePurged.v1': purged<SourcePurged>(),
    'CollectionCreated.v1': createdOfOthers(() => null),
    'CollectionChanged.v1': changed<CollectionChanged>(names('name', 'slug')),
    'CollectionMembersReplaced.v1': changed(),
    'CollectionMemberAdded.v1': changed(),
    'CollectionMemberRemoved.v1': changed(),
    'CollectionDeleted.v1': one((change) => change && null),
    'ReleaseRevised.v1': ofSource(mayLeaveItsFeed),
    'ReleaseSuppressed.v1': ofSource(),
    'ReleaseUnsuppressed.v1': ofSource(),
    'CoverageLinked.v1': ofSource(),
    'CoverageUnlinked.v1': ofSource(),
    'ReleaseErased.v1': ofSource(),
  },
});
