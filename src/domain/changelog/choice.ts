const names = ['changelog.md', 'changes.md', 'history.md', 'releases.md', 'news.md'];

const pathUnitsMax = 1_000;

export const filenameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export const isChangelogName = (path: string): boolean => names.includes(filenameOf(path).toLowerCase());

/**
 * The lowest is the file that is meant when none is named (contract 5.4): one with the name of a changelog before all
 * others, in the root folder first, then by name; else the shortest path.
 */
export const choiceOf = (path: string): number => {
  const name = names.indexOf(filenameOf(path).toLowerCase());
  const rank = name === -1 ? names.length : name;
  const isNested = path.includes('/');
  const place = rank === names.length ? 2 * names.length : (isNested ? names.length : 0) + rank;
  return place * (pathUnitsMax + 1) + path.length;
};
