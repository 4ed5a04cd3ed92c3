import { canExist, coordinateParts } from '../../domain/source/github-coordinate.ts';
import { FetchFailed } from '../fetch-failed.ts';
import { jsonOf } from '../read-json.ts';
import type { GithubClient } from './github-client.ts';
import { repositoryAnswer } from './read-answers.ts';

export interface KnownRepository {
  /** As it is called now. */
  readonly name: string;
  readonly stars: number | null;
}

const bytesMax = 2 * 1024 * 1024;

/** Null when there is none that everybody may read. Throws FetchFailed. */
export async function readRepository(
  client: GithubClient,
  coordinate: string,
  deadlineMs: number,
): Promise<KnownRepository | null> {
  const found = await client.get({ url: `${client.apiUrl}/repos/${coordinate}`, deadlineMs, bodyBytesMax: bytesMax });
  if (found === null) return null;
  const repository = repositoryAnswer.safeParse(jsonOf(found));
  if (!repository.success || !canExist(coordinateParts(repository.data.full_name))) {
    throw new FetchFailed('unreadable', found.status);
  }
  const { full_name: name, private: isPrivate, stargazers_count: stars } = repository.data;
  // Our credential may see more than the public, which is to see none of it.
  return isPrivate ? null : { name, stars };
}
