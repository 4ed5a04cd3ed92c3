import { type FieldChange, fieldChanges, firstChanges } from '../../src/domain/field-changes.ts';
import type { OverviewEvent, OverviewRemoved, OverviewWritten } from '../../src/domain/overview/events.ts';
import type { PlaybookEvent } from '../../src/domain/playbook/events.ts';
import { type TextDigest, textDigest } from '../../src/domain/text-digest.ts';
import { type DomainEvent, type RecordedEvent, seqOf } from '../../src/kernel/event.ts';
import {
  type Change,
  defineProjection,
  deleteWhere,
  type FoldEntry,
  patchWhere,
  type Projection,
  put,
  remove,
} from '../../src/kernel/projection.ts';
import type { StreamRef } from '../../src/kernel/stream-name.ts';
import { type OrgDocument, orgProjection } from '../org/org.ts';
import { type ProductDocument, productProjection } from '../product/product.ts';
import { type SourceDocument, sourceProjection } from '../source/source.ts';
import { type Audience, audienceOf, toldToNow } from './audience.ts';
import { changeTypes, type ChangeType, type EntityEvent } from './change-types.ts';

type Entity = OrgDocument | ProductDocument | SourceDocument;

/** What an entity is now: the next event tells only what it changes. */
interface KnownEntity {
  readonly id: string;
  readonly entityId: string;
  readonly orgId: null;
  readonly position: null;
  readonly audience: null;
  readonly toldTo: null;
  readonly entity: Entity;
  readonly overview: TextDigest | null;
  /** The first event of its overview that is still in the log. */
  readonly overviewSince?: number;
  readonly playbook: TextDigest | null;
}

/** One change of an org, or of a product or source of it. */
export interface EntityChange {
  readonly id: string;
  readonly entityId: string;
  readonly orgId: string;
  readonly position: number;
  /** The public sequence number. */
  readonly seq: number;
  readonly at: string;
  readonly type: ChangeType;
  readonly actor: string;
  /** Whose part it was: all that one command did is hidden, or nothing of it. */
  readonly commandId: string;
  /** The entity was hidden before or after it, so it is for admins only. */
  readonly hidden: boolean;
  /** Whom it is for where the entity is shown. */
  readonly audience: Audience;
  /** Whom it is for as the entity is now: so a page reads none but those that it may tell of. */
  readonly toldTo: Audience;
  readonly changes: readonly FieldChange[];
}

export type EntityHistoryDocument = KnownEntity | EntityChange;

const orgIdOf = (entity: Entity): string | null => ('orgId' in entity ? entity.orgId : entity.id);

/** Accounts are told one by one as they come and go; the others never change, follow from others, or serve to find and to order. */
const untold = new Set([
  ...['id', 'nameKey', 'orgId', 'createdAt', 'hidden'],
  ...['primaryAsks', 'accounts', 'earlierSlugs', 'slugTaken'],
]);

const toldFields = (entity: Entity): Readonly<Record<string, unknown>> => ({
  ...Object.fromEntries(Object.entries(entity).filter(([field]) => !untold.has(field))),
  isHidden: entity.hidden,
});

/** By the version, not the position: so the event before it in the stream is found by the event alone. */
const changeId = ({ id, category }: StreamRef, version: number): string => `${id}#${category}.${version}`;

interface Told extends Pick<EntityChange, 'orgId' | 'hidden' | 'changes'> {
  /** After it. */
  readonly entity: Entity;
}

const changeOf = (event: RecordedEvent, { orgId, hidden, changes, entity }: Told): EntityChange => {
  const type = changeTypes[event.type as keyof typeof changeTypes];
  const audience = audienceOf({ type, hidden, changes });
  return {
    id: changeId(event.stream, event.version),
    entityId: event.stream.id,
    orgId,
    position: event.position,
    seq: seqOf(event),
    at: event.metadata.recordedAt,
    type,
    actor: event.metadata.actor,
    commandId: event.metadata.commandId,
    hidden,
    audience,
    toldTo: toldToNow(audience, entity),
    changes,
  };
};

/** What is created hidden, or changed and hidden at once, is hidden by the next event of the same command. */
const hiddenWith = (
  before: EntityHistoryDocument | undefined,
  { hidden, commandId }: EntityChange,
  entity: Entity,
): EntityChange[] => {
  const isPartOfIt = before !== undefined && 'commandId' in before && before.commandId === commandId;
  if (!isPartOfIt || !hidden || before.hidden) return [];
  const audience = audienceOf({ ...before, hidden });
  return [{ ...before, hidden, audience, toldTo: toldToNow(audience, entity) }];
};

/** What was told to others until now, where the entity was hidden, shown, deleted or restored. */
const retold = (id: string, before: Entity | undefined, after: Entity): Change<EntityHistoryDocument>[] => {
  if (before === undefined) return [];
  return (['all', 'admin'] as const).flatMap((audience) => {
    const toldTo = toldToNow(audience, after);
    return toldTo === toldToNow(audience, before)
      ? []
      : [patchWhere<EntityHistoryDocument>('byEntity', { entityId: id, audience }, { toldTo })];
  });
};

const accountChanges = ({ type, data }: EntityEvent): FieldChange[] | null => {
  if (type !== 'OrgAccountLinked.v1' && type !== 'OrgAccountUnlinked.v1') return null;
  const account = { platform: data.platform, handle: data.handle };
  return type === 'OrgAccountLinked.v1'
    ? [{ field: 'account', from: null, to: account }]
    : [{ field: 'account', from: account, to: null }];
};

/** Whatever the entity's own read model makes of an event, told by what has changed. */
const following = (projection: Projection<Entity>): FoldEntry<EntityHistoryDocument, EntityEvent> => ({
  load: ({ stream, version }) => [stream.id, changeId(stream, version - 1)],
  fold: (docs, event) => {
    const { id } = event.stream;
    const known = docs.get(id) as KnownEntity | undefined;
    const before = known?.entity;
    const [change] = projection.on[event.type]!.fold(before === undefined ? new Map() : new Map([[id, before]]), event);
    if (change === undefined) return [];
    if (change.kind !== 'put') return [deleteWhere('byEntity', { entityId: id })]; // purged, and all that tells of it
    const after = change.doc;
    const orgId = orgIdOf(after);
    if (orgId === null) return []; // a source that stands alone is in the history of no org
    const changes =
      accountChanges(event as EntityEvent) ??
      (before === undefined ? firstChanges(toldFields(after)) : fieldChanges(toldFields(before), toldFields(after)));
    const place = { id, entityId: id, orgId: null, position: null, audience: null, toldTo: null };
    const next: KnownEntity = { overview: null, playbook: null, ...known, ...place, entity: after };
    const hidden = after.hidden || before?.hidden === true;
    const told = changeOf(event, { orgId, hidden, changes, entity: after });
    const earlier = hiddenWith(docs.get(changeId(event.stream, event.version - 1)), told, after);
    const made = [next, ...earlier, told].map((doc) => put<EntityHistoryDocument>(doc));
    return [...made, ...retold(id, before, after)];
  },
});

/** A long text of an entity. Of one that is purged, or stored by somebody who had not heard of that, nothing is told. */
const writing = <E extends DomainEvent>(
  field: 'overview' | 'playbook',
  textOf: (data: E['data']) => string | null,
): FoldEntry<EntityHistoryDocument, E> => ({
  load: ({ stream }) => [stream.id],
  fold: (docs, event): readonly Change<EntityHistoryDocument>[] => {
    const { id } = event.stream;
    const known = docs.get(id) as KnownEntity | undefined;
    const orgId = known && orgIdOf(known.entity);
    if (known === undefined || orgId == null) return [];
    const text = textDigest(textOf(event.data));
    const changes = fieldChanges({ [field]: known[field] }, { [field]: text });
    const told = changeOf(event, { orgId, hidden: known.entity.hidden, changes, entity: known.entity });
    return [put<EntityHistoryDocument>({ ...known, [field]: text }), put(told)];
  },
});

/**
 * What was written about the entity is gone from the log, all up to here: so nothing may tell of it, as nothing will after a
 * rebuild.
 */
const forgettingOverview: FoldEntry<EntityHistoryDocument, OverviewRemoved> = {
  load: ({ stream }) => [stream.id],
  fold: (docs, { stream, version }): readonly Change<EntityHistoryDocument>[] => {
    const known = docs.get(stream.id) as KnownEntity | undefined;
    if (known === undefined) return [];
    const since = known.overviewSince ?? 1;
    const told = Array.from({ length: version - since }, (_, index) => remove(changeId(stream, since + index)));
    return [put<EntityHistoryDocument>({ ...known, overview: null, overviewSince: version + 1 }), ...told];
  },
};

const followingAll = (projection: Projection<Entity>): Record<string, FoldEntry<EntityHistoryDocument, EntityEvent>> =>
  Object.fromEntries(Object.keys(projection.on).map((type) => [type, following(projection)]));

/**
 * Every change of an org and of its products and sources, a document each, so that a page costs the same however long
 * the history is and whoever it is for. Beside them what each entity is now, of which the next change is told. Releases have
 * their own streams for that. A purge takes all that tells of the entity.
 */
export const entityHistoryProjection = defineProjection<
  EntityHistoryDocument,
  EntityEvent | OverviewEvent | PlaybookEvent
>({
  name: 'entity-history',
  generation: 4, // raised also with the folds of org, product and source, which it keeps the documents of
  indexes: { byOrg: ['orgId', 'toldTo', 'position'], byEntity: ['entityId', 'audience'] },
  patchIndexes: ['byEntity'],
  groupOf: (id) => id.split('#')[0]!,
  on: {
    ...followingAll(orgProjection),
    ...followingAll(productProjection),
    ...followingAll(sourceProjection),
    'OverviewWritten.v1': writing<OverviewWritten>('overview', ({ content }) => content),
    'OverviewRemoved.v1': forgettingOverview,
    'PlaybookWritten.v1': writing<PlaybookEvent>('playbook', (data) => ('content' in data ? data.content : null)),
    'PlaybookRemoved.v1': writing<PlaybookEvent>('playbook', () => null),
  },
});
