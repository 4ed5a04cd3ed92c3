import { z } from 'zod';
import type { Audience } from '../../projections/entity-history/audience.ts';
import { type EntityChange, entityHistoryProjection } from '../../projections/entity-history/entity-history.ts';
import type { OrgDocument } from '../../projections/org/org.ts';
import type { ProductDocument } from '../../projections/product/product.ts';
import type { SourceDocument } from '../../projections/source/source.ts';
import { type Catalogue, catalogueReads } from '../../src/catalogue/catalogue.ts';
import { resolveOrg } from '../../src/catalogue/resolve.ts';
import { isVisible } from '../../src/domain/release/visible.ts';
import { decodeCursor, encodeCursor } from '../../src/kernel/paging/cursor.ts';
import type { FeedPaging } from '../feed/feed-cursor.ts';
import { toldChanges } from '../shape/told-changes.ts';
import type { QueryDeps } from '../shape/query-deps.ts';

export const orgHistoryReads = [...catalogueReads, entityHistoryProjection];

/** Where most of what is found tells only of what is hidden itself, more is read at once. */
const chunkRows = 256;
/** Rows that are looked at for one page at most. */
const pageRowsMax = 5_000;

type Entity = OrgDocument | ProductDocument | SourceDocument;
type EntityKind = 'org' | 'product' | 'source';

const entityOf = (catalogue: Catalogue, id: string): { readonly kind: EntityKind; readonly entity: Entity } | null => {
  const known = [
    { kind: 'org' as const, entity: catalogue.org(id) },
    { kind: 'product' as const, entity: catalogue.product(id) },
    { kind: 'source' as const, entity: catalogue.source(id) },
  ];
  const found = known.find(({ entity }) => entity !== undefined);
  return found?.entity === undefined ? null : { kind: found.kind, entity: found.entity };
};

/**
 * Undefined: not for whoever asks. What counts is what the entity is now, also where the history has not heard of it yet; and
 * a change of nothing but what is hidden itself, as the product of a source may be, is none.
 */
const itemOf = ({ catalogue }: Pick<QueryDeps, 'catalogue'>, change: EntityChange, admin: boolean) => {
  const found = entityOf(catalogue, change.entityId);
  if (found === null || !isVisible(found.entity, admin)) return undefined;
  const changes = toldChanges(catalogue, change.changes, admin);
  if (changes.length === 0 && change.changes.length > 0) return undefined;
  const { kind, entity } = found;
  return {
    position: change.seq,
    at: change.at,
    type: change.type,
    entity: { kind, id: entity.id, slug: entity.slug },
    changes,
    ...(admin && { actor: change.actor }),
  };
};

type OrgHistoryItem = NonNullable<ReturnType<typeof itemOf>>;

// A client may forge what a cursor holds; it must at least be a position.
const place = z.tuple([z.int().min(0)]);

interface Looked {
  /** One more than the page has, where there are so many. */
  readonly found: readonly { readonly position: number; readonly item: OrgHistoryItem }[];
  /** Where to go on looking; null at the end. */
  readonly before: number | null;
}

/** The newest changes before a position that whoever asks may be told of, in the order of positions. */
const newestBefore = async (
  { models }: Pick<QueryDeps, 'models'>,
  { orgId, before, admin }: { orgId: string; before: number; admin: boolean },
  limit: number,
): Promise<EntityChange[]> => {
  const history = models.of(entityHistoryProjection);
  const range = { index: 'byOrg', to: before - 1, direction: 'descending' as const, limit };
  const audiences: readonly Audience[] = admin ? ['all', 'admin'] : ['all'];
  const found = await Promise.all(audiences.map((toldTo) => history.query({ ...range, equals: { orgId, toldTo } })));
  // One that is hidden between the two looks is found by both.
  const changes = new Map((found.flat() as EntityChange[]).map((change) => [change.id, change]));
  return [...changes.values()].sort((a, b) => b.position - a.position).slice(0, limit);
};

/** The changes before a position that tell something; no more rows are looked at than it may take. */
const look = async (
  deps: Pick<QueryDeps, 'models' | 'catalogue'>,
  { orgId, start, wanted, admin }: { orgId: string; start: number; wanted: number; admin: boolean },
  rowsMax: number,
): Promise<Looked> => {
  const found: { readonly position: number; readonly item: OrgHistoryItem }[] = [];
  let before = start;
  for (let left = rowsMax, chunk = wanted; found.length < wanted && left > 0; chunk = chunkRows) {
    const limit = Math.min(chunk, left);
    // One more tells whether anything follows.
    const read = await newestBefore(deps, { orgId, before, admin }, limit + 1);
    const changes = read.slice(0, limit);
    for (const change of changes) {
      const item = itemOf(deps, change, admin);
      if (item !== undefined) found.push({ position: change.position, item });
    }
    const last = changes.at(-1);
    if (last === undefined || read.length <= limit) return { found, before: null };
    before = last.position;
    left -= limit;
  }
  return { found, before };
};

/**
 * What happened to an org and to its products and sources, the newest first (contract 3.5). Only where thousands of changes
 * in a row tell of nothing but what is hidden itself, a page may be short, and its cursor goes on from there.
 */
export const orgHistory = async (
  deps: Pick<QueryDeps, 'models' | 'catalogue'>,
  { org: identifier, limit, cursor, sent }: FeedPaging & { readonly org: string },
  admin: boolean,
  rowsMax = pageRowsMax,
) => {
  const org = resolveOrg(deps.catalogue, identifier, admin);
  const scope = { feed: 'org-history', entity: org.id, filters: sent };
  const [start] = cursor === null ? [Number.MAX_SAFE_INTEGER] : decodeCursor(cursor, scope, place);
  const { found, before } = await look(deps, { orgId: org.id, start, wanted: limit + 1, admin }, rowsMax);
  const page = found.slice(0, limit);
  const next = found.length > limit ? (page.at(-1)?.position ?? null) : before;
  return {
    items: page.map(({ item }) => item),
    pagination: { nextCursor: next === null ? null : encodeCursor({ ...scope, position: [next] }), limit },
  };
};
