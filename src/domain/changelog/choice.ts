const names = ['changelog.md', 'changes.md', 'history.md', 'releases.md', 'news.md'];

const pathUnitsMax = 1_000;

export const filenameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/**
 * The lowest is the file that is meant when none is named (contract 5.4): in the root folder before all others, then by
 * name, then the shortest path.
 */
export const choiceOf = (path: string): number => {
  const name = names.indexOf(filenameOf(path).toLowerCase());
  const rank = name === -1 ? names.length : name;
  const isNested = path.includes('/');
  return ((isNested ? 1 : 0) * (names.length + 1) + rank) * (pathUnitsMax + 1) + path.length;
};
