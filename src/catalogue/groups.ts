/** Documents under a key, each under at most one. */
export interface Groups<Doc> {
  /** Moves the document, or brings in its newer state. */
  readonly replace: (before: Doc | undefined, after: Doc) => void;
  readonly remove: (before: Doc) => void;
  readonly of: (key: string) => readonly Doc[];
}

/** So many are looked through in no time, and a map of a few takes ten times the room of a list. */
const listedMax = 32;

/** In the order in which they came. */
type Group<Doc> = Doc[] | Map<string, Doc>;

const withDoc = <Doc extends { readonly id: string }>(group: Group<Doc>, doc: Doc): Group<Doc> => {
  if (group instanceof Map) return group.set(doc.id, doc);
  const at = group.findIndex(({ id }) => id === doc.id);
  if (at >= 0) group[at] = doc;
  else group.push(doc);
  return group.length <= listedMax ? group : new Map(group.map((each) => [each.id, each]));
};

/** Answers how many are left. */
const takeOut = <Doc extends { readonly id: string }>(group: Group<Doc>, id: string): number => {
  if (group instanceof Map) {
    group.delete(id);
    return group.size;
  }
  const at = group.findIndex((doc) => doc.id === id);
  if (at >= 0) group.splice(at, 1);
  return group.length;
};

/** What has no key is in no group. */
export const createGroups = <Doc extends { readonly id: string }>(keyOf: (doc: Doc) => string | null): Groups<Doc> => {
  const groups = new Map<string, Group<Doc>>();

  const removeFrom = (key: string | null, id: string) => {
    if (key === null) return;
    const group = groups.get(key);
    if (group !== undefined && takeOut(group, id) === 0) groups.delete(key);
  };

  return {
    replace: (before, after) => {
      const key = keyOf(after);
      const keyBefore = before === undefined ? null : keyOf(before);
      if (keyBefore !== key) removeFrom(keyBefore, after.id);
      if (key === null) return;
      const group = groups.get(key);
      const placed = group === undefined ? [after] : withDoc(group, after);
      if (placed !== group) groups.set(key, placed);
    },
    remove: (before) => removeFrom(keyOf(before), before.id),
    of: (key) => {
      const group = groups.get(key) ?? [];
      return group instanceof Map ? [...group.values()] : group.slice();
    },
  };
};
