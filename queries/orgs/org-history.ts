import { z } from 'zod';
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

/** Where most of what is found is not for whoever asks, more is read at once. */
const chunkRows = 256;
/** Rows that are looked at for one page at most, whoever they are for. */
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

const adminTypes = new Set<EntityChange['type']>(['playbook.written', 'playbook.removed', 'org.tracking_requested']);

/** They tell nothing but what they changed; the others tell something by what they are. */
const changingTypes = new Set<EntityChange['type']>([
  'org.changed',
  'product.changed',
  'source.changed',
  'overview.written',
  'playbook.written',
  'playbook.removed',
]);

/**
 * Undefined: not for whoever asks. What is deleted nobody is told of (contract 2.9), and what was done while something was
 * hidden only admins, also once it is shown.
 */
const itemOf = ({ catalogue }: Pick<QueryDeps, 'catalogue'>, change: EntityChange, admin: boolean) => {
  const found = entityOf(catalogue, change.entityId);
  if (found === null || !isVisible(found.entity, admin)) return undefined;
  if (!admin && (change.hidden || adminTypes.has(change.type))) return undefined;
  const changes = toldChanges(catalogue, change.changes, admin);
  if (changes.length === 0 && (change.changes.length > 0 || changingTypes.has(change.type))) return undefined;
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

/** The changes before a position that are for whoever asks; no more rows are looked at than it may take. */
const look = async (
  deps: Pick<QueryDeps, 'models' | 'catalogue'>,
  { orgId, start, wanted, admin }: { orgId: string; start: number; wanted: number; admin: boolean },
  rowsMax: number,
): Promise<Looked> => {
  const history = deps.models.of(entityHistoryProjection);
  const found: { readonly position: number; readonly item: OrgHistoryItem }[] = [];
  let before = start;
  for (let left = rowsMax, chunk = wanted; found.length < wanted && left > 0; chunk = chunkRows) {
    const limit = Math.min(chunk, left);
    const bounds = { equals: { orgId }, to: before - 1, direction: 'descending' as const, limit };
    const changes = (await history.query({ index: 'byOrg', ...bounds })) as EntityChange[];
    for (const change of changes) {
      const item = itemOf(deps, change, admin);
      if (item !== undefined) found.push({ position: change.position, item });
    }
    const last = changes.at(-1);
    if (last === undefined || changes.length < limit) return { found, before: null };
    before = last.position;
    left -= limit;
  }
  return { found, before };
};

/**
 * What happened to an org and to its products and sources, the newest first (contract 3.5). Where most of it is not for
 * whoever asks, a page may be short, and its cursor goes on from there.
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
