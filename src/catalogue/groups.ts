/** Ids under a key, each id under at most one key. */
export interface Groups {
  /** Moves the id; null takes it out. */
  readonly place: (id: string, key: string | null) => void;
  readonly idsOf: (key: string) => Iterable<string>;
}

const none: readonly string[] = [];

export const createGroups = (): Groups => {
  const idsByKey = new Map<string, Set<string>>();
  const keyById = new Map<string, string>();

  const leave = (id: string) => {
    const key = keyById.get(id);
    if (key === undefined) return;
    keyById.delete(id);
    const ids = idsByKey.get(key);
    ids?.delete(id);
    if (ids?.size === 0) idsByKey.delete(key);
  };

  return {
    place: (id, key) => {
      if (keyById.get(id) === key) return;
      leave(id);
      if (key === null) return;
      keyById.set(id, key);
      const ids = idsByKey.get(key);
      if (ids === undefined) idsByKey.set(key, new Set([id]));
      else ids.add(id);
    },
    idsOf: (key) => idsByKey.get(key) ?? none,
  };
};
