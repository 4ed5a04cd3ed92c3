import { byName } from '../../domain/name-key.ts';
import { createWideMap } from '../wide-map.ts';
import { createSortedList, type SortedList } from './sorted-list.ts';

interface Named {
  readonly id: string;
  readonly nameKey: string;
}

/** What everybody sees of one kind, by name: all of it, and each group by itself. */
export const createPublicList = <Doc extends Named>(groupOf: (doc: Doc) => string | null = () => null) => {
  const all = createSortedList<Doc>(byName);
  const groups = new Map<string, SortedList<Doc>>();
  const kept = createWideMap<Doc>();

  const listsOf = (doc: Doc): readonly SortedList<Doc>[] => {
    const group = groupOf(doc);
    if (group === null) return [all];
    const list = groups.get(group) ?? createSortedList<Doc>(byName);
    groups.set(group, list);
    return [all, list];
  };

  return {
    /** As it is now; undefined when not everybody sees it. */
    place: (id: string, after: Doc | undefined) => {
      const before = kept.get(id);
      if (before === after) return;
      if (before !== undefined) for (const list of listsOf(before)) list.remove(before);
      if (after === undefined) {
        kept.delete(id);
        return;
      }
      kept.set(id, after);
      for (const list of listsOf(after)) list.add(after);
    },
    items: (group: string | null): readonly Doc[] =>
      group === null ? all.items() : (groups.get(group)?.items() ?? []),
  };
};
