import { z } from 'zod';
import { catalogueReads } from '../../src/catalogue/catalogue.ts';
import { releaseDetailProjection } from '../../projections/release-detail/release-detail.ts';
import { type FieldChange, fieldChanges, firstChanges } from '../../src/domain/field-changes.ts';
import { effectiveRelease } from '../../src/domain/release/effective.ts';
import type { ReleaseEvent } from '../../src/domain/release/events.ts';
import { type IndexedRelease, type ReleaseState, release as releaseModel } from '../../src/domain/release/state.ts';
import { textDigest } from '../../src/domain/text-digest.ts';
import { notFound } from '../../src/kernel/errors.ts';
import { type RecordedEvent, seqOf } from '../../src/kernel/event.ts';
import { decodeCursor, encodeCursor } from '../../src/kernel/paging/cursor.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';
import type { FeedPaging } from '../feed/feed-cursor.ts';
import type { PastDeps } from '../past/past-deps.ts';
import { streamEvents } from '../past/stream-events.ts';
import type { Asking } from '../shape/query-deps.ts';
import { hiddenSpans } from './hidden-spans.ts';
import { shownRelease } from './release-detail.ts';

export const releaseHistoryReads = [...catalogueReads, releaseDetailProjection];

type HistoryCause = 'ingest' | 'edit' | 'enrich' | 'coverage' | 'suppress' | 'unsuppress';

/** Null: nothing that a reader is told of. However a release came in, it was ingested. */
const causeOf = ({ type, metadata }: RecordedEvent<ReleaseEvent>): HistoryCause | null => {
  switch (type) {
    case 'ReleaseIndexed.v1':
    case 'ReleaseRevised.v1':
      return metadata.cause === 'edit' || metadata.cause === 'enrich' ? metadata.cause : 'ingest';
    case 'ReleaseSuppressed.v1':
      return 'suppress';
    case 'ReleaseUnsuppressed.v1':
      return 'unsuppress';
    case 'CoverageLinked.v1':
    case 'CoverageUnlinked.v1':
      return 'coverage';
    default:
      return null;
  }
};

/** Long texts are named, not told: the detail of that moment has them (`asOf`). */
const toldValues = ({ given, derived, coverage, suppression }: IndexedRelease, admin: boolean) => {
  const { contentHash, contentChars, contentTokens: _, migrationNotes, ...values } = effectiveRelease(given, derived);
  return {
    ...values,
    content: contentHash === null ? null : { hash: contentHash, chars: contentChars },
    migrationNotes: textDigest(migrationNotes),
    coverageOf: coverage.link?.canonicalId ?? null,
    suppressed: suppression !== null,
    ...(admin && { suppressedReason: suppression?.reason ?? null }),
  };
};

export interface ReleaseHistoryItem {
  readonly revision: number;
  readonly position: number;
  readonly at: string;
  readonly cause: HistoryCause;
  readonly changes: readonly FieldChange[];
}

const isTakenDown = (state: ReleaseState): boolean => state.status === 'indexed' && state.suppression !== null;

/** That it was taken down and brought back everybody is told; what was done to it in between, only admins. */
const itemOf = (
  before: ReleaseState,
  after: ReleaseState,
  event: RecordedEvent<ReleaseEvent>,
  admin: boolean,
): ReleaseHistoryItem | null => {
  const cause = causeOf(event);
  if (cause === null || after.status !== 'indexed') return null;
  if (!admin && isTakenDown(before) && isTakenDown(after)) return null;
  const told = toldValues(after, admin);
  return {
    revision: after.revision,
    position: seqOf(event),
    at: event.metadata.recordedAt,
    cause,
    changes: before.status === 'indexed' ? fieldChanges(toldValues(before, admin), told) : firstChanges(told),
  };
};

interface AskedHistory {
  readonly id: string;
  readonly sourceId: string;
  readonly before: number;
  readonly count: number;
  readonly admin: boolean;
}

interface Told {
  readonly version: number;
  readonly item: ReleaseHistoryItem;
}

/** The last so many that come before a version, the newest first. All before them are folded: a change tells what was. */
const lastItems = async (
  deps: Pick<PastDeps, 'streams'>,
  { id, sourceId, before, count, admin }: AskedHistory,
): Promise<Told[] | null> => {
  const found: Told[] = [];
  const isDoneInHiding = admin ? () => false : await hiddenSpans(deps, sourceId);
  let state = releaseModel.initial;
  for await (const stored of streamEvents(deps, streamOf('release', id))) {
    const event = stored as RecordedEvent<ReleaseEvent>;
    if (event.type === 'ReleaseErased.v1') return null;
    if (event.version >= before) break;
    const next = releaseModel.evolve(state, event as ReleaseEvent, event.metadata);
    const item = itemOf(state, next, event, admin);
    state = next;
    if (item === null || isDoneInHiding(item.position)) continue;
    found.push({ version: event.version, item });
    if (found.length > count) found.shift();
  }
  return found.reverse();
};

// A client may forge what a cursor holds; it must at least be the number of an event.
const place = z.tuple([z.int().min(1)]);

/** What happened to a release, the newest first (contract 6.3). */
export const releaseHistory = async (
  deps: PastDeps,
  { release: identifier, limit, cursor, sent }: FeedPaging & { readonly release: string },
  asking: Asking,
) => {
  const { release } = await shownRelease(deps, identifier, asking);
  const scope = { feed: 'release-history', entity: release.id, filters: sent };
  const [before] = cursor === null ? [Number.MAX_SAFE_INTEGER] : decodeCursor(cursor, scope, place);
  const found = await lastItems(deps, { ...release, before, count: limit + 1, admin: asking.admin });
  if (found === null) throw notFound('release', identifier); // erased since it was looked up
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const next = found.length > limit && last !== undefined ? encodeCursor({ ...scope, position: [last.version] }) : null;
  return { items: page.map(({ item }) => item), pagination: { nextCursor: next, limit } };
};
