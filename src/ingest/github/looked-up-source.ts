import { githubCoordinate } from '../../domain/source/github-coordinate.ts';
import { FetchFailed } from '../fetch-failed.ts';
import type { SourceFetcher } from '../source-fetcher.ts';
import type { RepositoryFetcher } from './repository-fetcher.ts';

/** Reads a source as a lookup reads its repository: all of it each time. */
export const createLookedUpSource = (repositories: RepositoryFetcher): SourceFetcher => ({
  fetch: async ({ url, metadata }) => {
    const { githubUrl } = metadata;
    const coordinate = githubCoordinate(typeof githubUrl === 'string' ? githubUrl : url);
    if (coordinate === null) throw new FetchFailed('unreadable');
    const fetched = await repositories.fetch(coordinate);
    if (fetched === null) throw new FetchFailed('unreadable', 404);
    const unread = { entry: coordinate, reason: 'The answer is not that of a release.' };
    return {
      isNew: true,
      items: fetched.items,
      leftOut: Array.from({ length: fetched.leftOut }, () => unread),
      memory: {},
      changelogs: [],
      stars: null,
      iconUrl: null,
    };
  },
});
