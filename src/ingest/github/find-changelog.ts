import { choiceOf, isChangelogName } from '../../domain/changelog/choice.ts';
import { FetchFailed } from '../fetch-failed.ts';
import { jsonOf, listOf } from '../read-json.ts';
import type { GithubClient } from './github-client.ts';
import { fileNames, treeAnswer } from './read-answers.ts';

const folderBytesMax = 2 * 1024 * 1024;
/** What GitHub says of the tree of a repository without a commit. */
const emptyRepository = 409;
const treeBytesMax = 10 * 1024 * 1024;
const pathCharsMax = 500;
/** What lies there is about something else than the repository. */
const foreign = /(?:^|\/)(?:\.[^/]*|node_modules|vendor|third_party|examples?|fixtures?|tests?)\//i;

/** The one that is meant when none is named (contract 5.4). */
function chosen(paths: readonly string[]): string | null {
  let best: string | null = null;
  for (const path of paths) {
    if (isChangelogName(path) && (best === null || choiceOf(path) < choiceOf(best))) best = path;
  }
  return best;
}

/** The changelog in the root folder; null when it has none. */
export async function findChangelogInRoot(
  client: GithubClient,
  repository: string,
  deadlineMs: number,
): Promise<string | null> {
  const url = `${client.apiUrl}/repos/${repository}/contents`;
  const folder = await client.get({ url, deadlineMs, bodyBytesMax: folderBytesMax });
  return folder === null ? null : chosen(fileNames(listOf(folder))); // a repository without a file has no folder
}

/** The changelog in the root folder, else in the folder nearest to it; null when there is none. */
export async function findChangelog(
  client: GithubClient,
  repository: string,
  deadlineMs: number,
): Promise<string | null> {
  const inRoot = await findChangelogInRoot(client, repository, deadlineMs);
  if (inRoot !== null) return inRoot;
  const url = `${client.apiUrl}/repos/${repository}/git/trees/HEAD?recursive=1`;
  const tree = await client.get({ url, deadlineMs, bodyBytesMax: treeBytesMax, absentToo: [emptyRepository] });
  // Of so many files that their list is not read whole, none is taken for the changelog.
  if (tree === null || tree.truncated) return null;
  const read = treeAnswer.safeParse(jsonOf(tree));
  if (!read.success) throw new FetchFailed('unreadable', tree.status);
  const paths = read.data.tree.filter(({ type }) => type === 'blob').map(({ path }) => path);
  return chosen(paths.filter((path) => path.length <= pathCharsMax && !foreign.test(path)));
}
