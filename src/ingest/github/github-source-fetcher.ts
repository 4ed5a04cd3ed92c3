import { outlineRule } from '../../domain/changelog/outline.ts';
import { canExist, coordinateParts, githubCoordinate } from '../../domain/source/github-coordinate.ts';
import { FetchFailed } from '../fetch-failed.ts';
import type { FetchedSource, SourceFetcher, SourceToFetch } from '../source-fetcher.ts';
import { changelogItems } from './changelog-items.ts';
import { findChangelog } from './find-changelog.ts';
import { createGithubClient, type GithubClientDeps } from './github-client.ts';
import { type RawFileDeps, type ReadChangelogFile, readChangelogFile } from './read-changelog-file.ts';
import { readReleases } from './read-releases.ts';
import { readRepository } from './read-repository.ts';
import { recallRepository, rememberRepository, type RepositoryMemory } from './source-memory.ts';
import { dayMs } from '../../kernel/dates.ts';

export interface GithubSourceDeps extends RawFileDeps, Omit<GithubClientDeps, 'isPatient'> {}

/** Less than a day, so that what is asked for a little earlier than a day ago is not put off to the next fetch. */
const dailyMs = (20 / 24) * dayMs;
/** Of the time of a fetch, what releases may take; the rest is for the repository and its changelog file. */
const pagesShare = 2 / 3;
/** As many as one fetch of a feed brings in. */
const bounds = { itemsMax: 500, charsMax: 8_000_000 };

function coordinateOf({ url, metadata }: SourceToFetch): string {
  const { githubUrl } = metadata;
  const coordinate = githubCoordinate(typeof githubUrl === 'string' && githubUrl !== '' ? githubUrl : url);
  if (coordinate !== null && canExist(coordinateParts(coordinate))) return coordinate;
  throw new FetchFailed('unreadable', null, {
    sentence: 'The address of the source is not one of a GitHub repository.',
  });
}

type ReadFile = ReadChangelogFile | 'unchanged' | 'absent';

/** Reads repositories that are sources: releases when there are new ones, stars and the changelog file once a day. */
export function createGithubSourceFetcher(deps: GithubSourceDeps): SourceFetcher {
  const { clock } = deps;
  const client = createGithubClient({ ...deps, isPatient: true });

  const isDailyDue = (known: RepositoryMemory | null): boolean =>
    // Either way: a clock that was set back must not put it off.
    known === null || Math.abs(clock.nowMs() - known.dailyAtMs) >= dailyMs;

  async function changelogOf(name: string, known: RepositoryMemory | null, deadlineMs: number): Promise<ReadFile> {
    const path = await findChangelog(client, name, deadlineMs);
    if (path === null) return 'absent';
    const isKnown = known?.changelogPath === path && known.name === name;
    // A file that was outlined by another rule is stored anew, so it is read though it has not changed.
    const etag = isKnown && known.outlineRule === outlineRule ? known.changelogEtag : null;
    return readChangelogFile(deps, { repository: name, path, deadlineMs, etag });
  }

  const rememberedFile = (file: ReadFile, known: RepositoryMemory | null) => {
    if (typeof file === 'object') return { changelogPath: file.file.path, changelogEtag: file.etag, outlineRule };
    if (file === 'absent' || known === null) return { changelogPath: null, changelogEtag: null, outlineRule };
    return { changelogPath: known.changelogPath, changelogEtag: known.changelogEtag, outlineRule: known.outlineRule };
  };

  return {
    fetch: async (source, deadlineMs): Promise<FetchedSource> => {
      const coordinate = coordinateOf(source);
      const known = recallRepository(source.memory, coordinate);
      const isDaily = isDailyDue(known);
      const nothing = { isNew: false, items: [], leftOut: [], changelogs: [], stars: null, iconUrl: null };
      const nowMs = clock.nowMs();
      const pagesUntilMs = nowMs + pagesShare * (deadlineMs - nowMs);
      const place = { repository: known?.name ?? coordinate, deadlineMs, pagesUntilMs };
      const wanted = { ...place, ...bounds, ...(known && { seen: known }) };
      const released = await readReleases(client, wanted);
      if (released === null && !isDaily) return { ...nothing, memory: source.memory };

      // Whatever is new: the public may not read the repository any more, which our credential would not notice.
      const repository = await readRepository(client, wanted.repository, deadlineMs);
      if (repository === null) {
        const sentence = 'GitHub knows no such repository that everybody may read.';
        throw new FetchFailed('unreadable', 404, { sentence });
      }
      const file = isDaily ? await changelogOf(repository.name, known, deadlineMs) : 'unchanged';
      const isReleased = released === null ? known?.newestTag != null : released.items.length > 0;
      const told = typeof file === 'object' && !isReleased ? changelogItems(file.file.content, bounds) : null;
      const seen = released?.seen ?? known!; // only who is known can be unchanged
      return {
        ...nothing,
        isNew: released !== null || typeof file === 'object',
        items: told?.items ?? released?.items ?? [],
        leftOut: [released?.older, told?.older, released?.leftOut, told?.leftOut].flatMap((some) => some ?? []),
        changelogs: typeof file === 'object' ? [file.file] : [],
        // Told with the file only: so readers know by the one when the other was looked after.
        stars: isDaily ? repository.stars : null,
        memory: rememberRepository({
          coordinate,
          name: repository.name,
          dailyAtMs: isDaily ? clock.nowMs() : known!.dailyAtMs,
          perPage: seen.perPage,
          etag: seen.etag,
          newestTag: seen.newestTag,
          ...rememberedFile(file, known),
        }),
      };
    },
  };
}
