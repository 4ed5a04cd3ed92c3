import { expiresAtMs } from '../../src/domain/lifecycle.ts';
import type { ChangelogFileStored, ChangelogRemoved } from '../../src/domain/changelog/events.ts';
import type { OrgDeleted, OrgPurged, OrgRestored } from '../../src/domain/org/events.ts';
import type { OverviewEvent } from '../../src/domain/overview/events.ts';
import type { PlaybookEvent } from '../../src/domain/playbook/events.ts';
import type {
  ProductCreated,
  ProductDeleted,
  ProductPurged,
  ProductRestored,
} from '../../src/domain/product/events.ts';
import type { PurgeCompleted } from '../../src/domain/purge/events.ts';
import type { ReleaseErased, ReleaseIndexed } from '../../src/domain/release/events.ts';
import type { SourceCreated, SourceDeleted, SourcePurged, SourceRestored } from '../../src/domain/source/events.ts';
import type { SummaryEvent } from '../../src/domain/summary/events.ts';
import type { DomainEvent } from '../../src/kernel/event.ts';
import { defineProjection, type FoldEntry, makesOne, one, put, remove } from '../../src/kernel/projection.ts';

/** An entity that is deleted or purged, or what was stored below a purged one by somebody who had not heard of it. */
export interface Deletion {
  readonly id: string;
  readonly kind: 'org' | 'product' | 'source' | 'release' | 'overview' | 'playbook' | 'summary' | 'changelog';
  /** What it is about: an entity, a release, the owner of an overview, playbook or changelog, or a summary. */
  readonly subjectId: string;
  /** The org of a product or source. */
  readonly orgId: string | null;
  /** `deleted`: it can be restored until it is due. `purged`: nothing of it must be left. `stray`: it must go, too. */
  readonly state: 'deleted' | 'purged' | 'stray';
  /** From when on there is something to do; null once all is done. */
  readonly dueMs: number | null;
  /** Of the event that made it so: what was stored before that is found by read models that have passed it. */
  readonly position: number;
}

type DeletedEvent = OrgDeleted | ProductDeleted | SourceDeleted;
type RestoredEvent = OrgRestored | ProductRestored | SourceRestored;
type PurgedEvent = OrgPurged | ProductPurged | SourcePurged;

type DeletionEvent =
  | DeletedEvent
  | RestoredEvent
  | PurgedEvent
  | PurgeCompleted
  | ProductCreated
  | SourceCreated
  | ReleaseIndexed
  | ReleaseErased
  | OverviewEvent
  | PlaybookEvent
  | SummaryEvent
  | ChangelogFileStored
  | ChangelogRemoved;

/** Begins with the id of what it was stored below, so that the two are of one group. */
const strayId = (parentId: string, what: string): string => `${parentId}/${what}`;
export const parentIn = (id: string): string => id.split('/')[0]!;

const deleted = (kind: Deletion['kind']) =>
  makesOne<Deletion, DeletedEvent>(({ data, stream, position }) => ({
    id: stream.id,
    kind,
    subjectId: stream.id,
    orgId: null,
    state: 'deleted',
    dueMs: expiresAtMs(data.deletedAt),
    position,
  }));

const restored = one<Deletion, RestoredEvent>((deletion) => deletion && null);

const purged = (kind: Deletion['kind']): FoldEntry<Deletion, PurgedEvent> => ({
  load: () => [],
  fold: (_, { data, stream, position }) => {
    const orgId = 'orgId' in data ? data.orgId : null;
    const row: Deletion = { id: stream.id, kind, subjectId: stream.id, orgId, state: 'purged', dueMs: 0, position };
    return orgId === null ? [put(row)] : [put(row), remove(strayId(orgId, stream.id))];
  },
});

interface Child {
  readonly kind: Deletion['kind'];
  readonly parentId: string | null;
  readonly subjectId: string;
  /** Tells it from the others below that parent. */
  readonly what: string;
}

/** Its writer had read the parent before that was purged, and stored it afterwards. */
const stored = <E extends DomainEvent>(childOf: (id: string, data: E['data']) => Child): FoldEntry<Deletion, E> => ({
  load: ({ stream, data }) => {
    const { parentId } = childOf(stream.id, data);
    return parentId === null ? [] : [parentId];
  },
  fold: (docs, { stream, data, position }) => {
    const { kind, parentId, subjectId, what } = childOf(stream.id, data);
    if (parentId === null || docs.get(parentId)?.state !== 'purged') return [];
    const id = strayId(parentId, what);
    return [put({ id, kind, subjectId, orgId: null, state: 'stray', dueMs: 0, position })];
  },
});

const gone = <E extends DomainEvent>(idOf: (id: string, data: E['data']) => string): FoldEntry<Deletion, E> => ({
  load: ({ stream, data }) => [idOf(stream.id, data)],
  fold: (docs, { stream, data }) => {
    const id = idOf(stream.id, data);
    return docs.has(id) ? [remove(id)] : [];
  },
});

/** What has to be purged and when, the earliest first. A purged entity keeps its row, by which strays are known. */
export const deletionsProjection = defineProjection<Deletion, DeletionEvent>({
  name: 'deletions',
  generation: 1,
  indexes: { byDue: ['dueMs'] },
  groupOf: parentIn,
  on: {
    'OrgDeleted.v1': deleted('org'),
    'ProductDeleted.v1': deleted('product'),
    'SourceDeleted.v1': deleted('source'),
    'OrgRestored.v1': restored,
    'ProductRestored.v1': restored,
    'SourceRestored.v1': restored,
    'OrgPurged.v1': purged('org'),
    'ProductPurged.v1': purged('product'),
    'SourcePurged.v1': purged('source'),
    'PurgeCompleted.v1': one((deletion) => deletion && { ...deletion, dueMs: null }),
    'ProductCreated.v1': stored((id, { orgId }) => ({ kind: 'product', parentId: orgId, subjectId: id, what: id })),
    'SourceCreated.v1': stored((id, { orgId }) => ({ kind: 'source', parentId: orgId, subjectId: id, what: id })),
    'ReleaseIndexed.v1': stored((id, { sourceId }) => ({
      kind: 'release',
      parentId: sourceId,
      subjectId: id,
      what: id,
    })),
    'ReleaseErased.v1': gone((id, { sourceId }) => strayId(sourceId, id)),
    'OverviewWritten.v1': stored((id) => ({ kind: 'overview', parentId: id, subjectId: id, what: 'overview' })),
    'OverviewRemoved.v1': gone((id) => strayId(id, 'overview')),
    'PlaybookWritten.v1': stored((id) => ({ kind: 'playbook', parentId: id, subjectId: id, what: 'playbook' })),
    'PlaybookRemoved.v1': gone((id) => strayId(id, 'playbook')),
    'SummaryWritten.v1': stored((id, { sourceId }) => ({
      kind: 'summary',
      parentId: sourceId,
      subjectId: id,
      what: id,
    })),
    'SummaryRemoved.v1': gone((id, { sourceId }) => strayId(sourceId, id)),
    'ChangelogFileStored.v1': stored((id) => ({ kind: 'changelog', parentId: id, subjectId: id, what: 'changelog' })),
    'ChangelogRemoved.v1': gone((id) => strayId(id, 'changelog')),
  },
});
