import type { SourceDocument } from '../../../projections/source/source.ts';
import type { Category, Kind, SourceType } from '../../domain/enumerations.ts';
import { isVisible } from '../../domain/release/visible.ts';
import type { SourceInstants } from '../instants/source-instants.ts';
import { createPublicSources, type PublicSources, type SourceGroup } from './public-sources.ts';

/** Fewer are put in order by themselves in less than a millisecond, and lists of all small orgs would take much memory. */
const sourcesOfLargeMin = 512;

export interface LargeGroupsDeps {
  readonly source: (id: string) => SourceDocument | undefined;
  /** The org of a source, or its product. */
  readonly groupOf: (source: SourceDocument) => string | null;
  readonly sourcesOf: (groupId: string) => readonly SourceDocument[];
  /** Of its releases, to whoever sees the group. */
  readonly kindOf: (source: SourceDocument) => Kind | null;
  readonly categoryOf: (source: SourceDocument) => Category | null;
  readonly instantsOf: (sourceId: string) => SourceInstants;
  /** How many make a group a large one. */
  readonly sourcesMin?: number;
}

/** What a source of a group is asked for by. */
export interface ListedSource {
  readonly type: SourceType;
  readonly kind: Kind | null;
  readonly category: Category | null;
}

/** The sources of one group that are not hidden or deleted themselves. */
export interface LargeGroup {
  /** Those that have releases, of some types and kinds. */
  readonly those: (isWanted: (group: SourceGroup<Kind>) => boolean) => PublicSources;
  /** With releases or without. The same set for the same name, as long as they are the same. */
  readonly idsOf: (name: string, isWanted: (source: ListedSource) => boolean) => ReadonlySet<string>;
}

interface KeptGroup extends LargeGroup {
  readonly place: (sourceId: string) => void;
}

/** The sources of orgs or products that have very many, kept as those of the whole registry are. */
export const createLargeGroups = ({
  source: sourceOf,
  groupOf,
  sourcesOf,
  kindOf,
  categoryOf,
  instantsOf,
  sourcesMin = sourcesOfLargeMin,
}: LargeGroupsDeps) => {
  const counts = new Map<string, number>();
  const kept = new Map<string, KeptGroup>();

  const createKeptGroup = (groupId: string): KeptGroup => {
    const isPublic = (source: SourceDocument) => groupOf(source) === groupId && isVisible(source);
    const sources = createPublicSources({ source: sourceOf, isPublic, topicOf: kindOf, instantsOf });
    /** One object for all that are asked for by the same, so that each takes little memory and is soon compared. */
    const listings = new Map<string, ListedSource>();
    const listed = new Map<string, ListedSource>();
    const idsByName = new Map<string, ReadonlySet<string>>();

    const listingOf = (source: SourceDocument): ListedSource => {
      const listing = { type: source.type, kind: kindOf(source), category: categoryOf(source) };
      const key = `${listing.type} ${listing.kind} ${listing.category}`;
      const known = listings.get(key) ?? listing;
      listings.set(key, known);
      return known;
    };

    const list = (sourceId: string) => {
      const source = sourceOf(sourceId);
      const listing = source !== undefined && isPublic(source) ? listingOf(source) : undefined;
      if (listed.get(sourceId) === listing) return;
      if (listing === undefined) listed.delete(sourceId);
      else listed.set(sourceId, listing);
      idsByName.clear();
    };

    return {
      those: sources.those,
      idsOf: (name, isWanted) => {
        const known = idsByName.get(name);
        if (known !== undefined) return known;
        const ids = new Set<string>();
        for (const [id, listing] of listed) if (isWanted(listing)) ids.add(id);
        idsByName.set(name, ids);
        return ids;
      },
      place: (sourceId) => {
        sources.place(sourceId);
        list(sourceId);
      },
    };
  };

  const keep = (groupId: string) => {
    const group = createKeptGroup(groupId);
    for (const { id } of sourcesOf(groupId)) group.place(id);
    kept.set(groupId, group);
  };

  const count = (groupId: string, added: 1 | -1) => {
    const having = (counts.get(groupId) ?? 0) + added;
    if (having === 0) counts.delete(groupId);
    else counts.set(groupId, having);
    if (having < sourcesMin) kept.delete(groupId);
    else if (!kept.has(groupId)) keep(groupId);
  };

  return {
    /** After the source, its kind or its releases changed; `before` and `after` are its groups. */
    place: (sourceId: string, before: string | null, after: string | null) => {
      if (before !== after) {
        if (before !== null) count(before, -1);
        if (after !== null) count(after, 1);
      }
      for (const groupId of new Set([before, after])) if (groupId !== null) kept.get(groupId)?.place(sourceId);
    },
    /** Undefined when the group is not large. */
    of: (groupId: string): LargeGroup | undefined => kept.get(groupId),
  };
};
