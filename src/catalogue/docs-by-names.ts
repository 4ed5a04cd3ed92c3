/** Documents found by any of several names, which others may have too. */
export interface DocsByNames<Doc> {
  /** Takes its names from what it was before. */
  readonly replace: (before: Doc | undefined, after: Doc) => void;
  readonly remove: (before: Doc) => void;
  /** In no order. */
  readonly of: (name: string) => Doc[];
}

export const createDocsByNames = <Doc extends { readonly id: string }>(
  namesOf: (doc: Doc) => readonly string[],
): DocsByNames<Doc> => {
  const byName = new Map<string, Map<string, Doc>>();
  const remove = (doc: Doc) => {
    for (const name of namesOf(doc)) {
      const having = byName.get(name);
      having?.delete(doc.id);
      if (having?.size === 0) byName.delete(name);
    }
  };
  return {
    remove,
    replace: (before, after) => {
      if (before) remove(before);
      for (const name of namesOf(after)) {
        const having = byName.get(name);
        if (having === undefined) byName.set(name, new Map([[after.id, after]]));
        else having.set(after.id, after);
      }
    },
    of: (name) => [...(byName.get(name)?.values() ?? [])],
  };
};
