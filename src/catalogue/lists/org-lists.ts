import type { OrgDocument } from '../../../projections/org/org.ts';
import type { Category } from '../../domain/enumerations.ts';
import { dueUntilMs, isVisible } from '../../domain/release/visible.ts';
import { byName } from '../../domain/name-key.ts';
import type { OrgPieces } from './org-search.ts';
import { createSortedList, type SortedList } from './sorted-list.ts';

/** Orgs that everybody sees, by name. */
export interface PublicOrgs {
  readonly all: readonly OrgDocument[];
  /** Those with a counted release. */
  readonly withReleases: readonly OrgDocument[];
  /** The same for a search. */
  readonly pieces: { readonly all: OrgPieces; readonly withReleases: OrgPieces };
}

type OrgList = SortedList<OrgDocument>;

interface Placed {
  readonly org: OrgDocument;
  /** From when on the org has a release: no clock changes it. */
  readonly firstMs: number;
  readonly lists: readonly OrgList[];
}

const never = Number.POSITIVE_INFINITY;
const always = Number.NEGATIVE_INFINITY;

interface ListsOfGroup {
  readonly all: OrgList;
  readonly withReleases: OrgList;
}

const newList = (): OrgList => createSortedList<OrgDocument>(byName);

/**
 * Lists that stay as they are until an org changes or the first release of one is due. They hold for every moment from
 * the last first release that has come to the next one that has not.
 */
export const createOrgLists = () => {
  const every = newList();
  const byCategory = new Map<Category | null, ListsOfGroup>();
  const featuredByCategory = new Map<Category | null, ListsOfGroup>();
  const placed = new Map<string, Placed>();
  /** Orgs whose first release lies ahead. */
  const waiting = new Map<string, number>();
  /** Until somebody asks at a moment, all releases have come: few lie ahead. */
  let asOfMs = Number.MAX_VALUE;
  let lastComeMs = always;
  let nextComesMs = never;

  const listsOf = (groups: Map<Category | null, ListsOfGroup>, category: Category | null): ListsOfGroup => {
    const known = groups.get(category);
    if (known !== undefined) return known;
    const lists = { all: newList(), withReleases: newList() };
    groups.set(category, lists);
    return lists;
  };

  const listsFor = (org: OrgDocument, hasReleases: boolean): OrgList[] => {
    if (!isVisible(org)) return [every];
    const categories = [null, ...(org.category === null ? [] : [org.category])];
    const groups = org.featured ? [byCategory, featuredByCategory] : [byCategory];
    const lists = groups.flatMap((group) => categories.map((category) => listsOf(group, category)));
    return [every, ...lists.flatMap(({ all, withReleases }) => (hasReleases ? [all, withReleases] : [all]))];
  };

  const takeOut = (id: string) => {
    const before = placed.get(id);
    if (before === undefined) return;
    for (const list of before.lists) list.remove(before.org);
    placed.delete(id);
    waiting.delete(id);
  };

  const place = (org: OrgDocument, firstMs: number) => {
    const before = placed.get(org.id);
    const hasReleases = firstMs <= asOfMs;
    const lists = listsFor(org, hasReleases);
    // Mostly it stays where it is: a list that is the same need not be made again.
    const stays = (list: OrgList) => before?.org === org && before.lists.includes(list) && lists.includes(list);
    for (const list of before?.lists ?? []) if (!stays(list)) list.remove(before!.org);
    for (const list of lists) if (!stays(list)) list.add(org);
    placed.set(org.id, { org, firstMs, lists });
    waiting.delete(org.id);
    if (hasReleases) {
      lastComeMs = Math.max(lastComeMs, firstMs);
    } else if (firstMs !== never) {
      waiting.set(org.id, firstMs);
      nextComesMs = Math.min(nextComesMs, firstMs);
    }
  };

  const lastUpTo = (dueMs: number): number => {
    let lastMs = always;
    for (const { firstMs } of placed.values()) if (firstMs <= dueMs) lastMs = Math.max(lastMs, firstMs);
    return lastMs;
  };

  const moveTo = (nowMs: number) => {
    const dueMs = dueUntilMs(nowMs);
    if (dueMs >= lastComeMs && dueMs < nextComesMs) return;
    const moved = dueMs < lastComeMs ? placed.values() : Array.from(waiting.keys(), (id) => placed.get(id) as Placed);
    const isMoved = ({ firstMs }: Placed) => firstMs <= asOfMs !== firstMs <= dueMs;
    const toMove = [...moved].filter(isMoved);
    asOfMs = dueMs;
    for (const { org, firstMs } of toMove) place(org, firstMs);
    if (dueMs < lastComeMs) lastComeMs = lastUpTo(dueMs);
    nextComesMs = [...waiting.values()].reduce((a, b) => Math.min(a, b), never);
  };

  const asOf =
    (groups: typeof byCategory) =>
    (category: Category | null, nowMs: number): PublicOrgs => {
      moveTo(nowMs);
      const { all, withReleases } = listsOf(groups, category);
      return {
        all: all.items(),
        withReleases: withReleases.items(),
        pieces: { all: all.pieces(), withReleases: withReleases.pieces() },
      };
    };

  return {
    place,
    remove: takeOut,
    every: () => every.items(),
    everyPiece: () => every.pieces(),
    public: asOf(byCategory),
    featured: asOf(featuredByCategory),
    hasReleases: (orgId: string, nowMs: number): boolean => (placed.get(orgId)?.firstMs ?? never) <= dueUntilMs(nowMs),
  };
};
