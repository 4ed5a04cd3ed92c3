import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { RecordedEvent } from '../../../src/kernel/event.ts';
import { naiveRegistry, type NaiveRelease } from './naive-registry.ts';
import { isPrerelease, publishedAtOf } from './naive-view.ts';

const digestOf = (text: string | null) =>
  text === null || text === '' ? null : { hash: createHash('sha256').update(text).digest('hex'), chars: text.length };

const causes: Readonly<Record<string, string>> = {
  'ReleaseSuppressed.v1': 'suppress',
  'ReleaseUnsuppressed.v1': 'unsuppress',
  'CoverageLinked.v1': 'coverage',
  'CoverageUnlinked.v1': 'coverage',
};

const releaseValues = (release: NaiveRelease | undefined): Readonly<Record<string, unknown>> => {
  if (release === undefined) return {};
  const { given, derived, content } = release;
  return {
    title: given.title,
    version: given.version ?? null,
    url: given.url ?? null,
    publishedAt: publishedAtOf(release),
    type: given.type ?? derived.type,
    prerelease: isPrerelease(release),
    summary: given.summary ?? derived.summary,
    titleGenerated: given.titleGenerated ?? null,
    titleShort: given.titleShort ?? null,
    breaking: given.breaking ?? derived.breaking,
    importance: given.importance ?? derived.importance,
    composition: given.composition ?? derived.composition,
    media: given.media ?? [],
    content: digestOf(content),
    migrationNotes: digestOf(given.migrationNotes ?? derived.migrationNotes),
    coverageOf: release.coverageOf,
    suppressed: release.suppressed,
  };
};

const differences = (before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>) =>
  Object.keys(after)
    .map((field) => ({ field, from: before[field] ?? null, to: after[field] }))
    .filter(({ from, to }) => !isDeepStrictEqual(from, to));

const isNothing = (value: unknown): boolean => ['null', 'false', '""', '[]', '{}'].includes(JSON.stringify(value));

/** Contract 6.3, to everybody: the release after each of its events, compared with what it was before. */
export const naiveReleaseHistory = (log: readonly RecordedEvent[], releaseId: string) => {
  const own = log.filter(({ stream }) => stream.name === `release-${releaseId}` || stream.category === 'body');
  const items = own.flatMap((event, index) => {
    const isRevision = event.type === 'ReleaseIndexed.v1' || event.type === 'ReleaseRevised.v1';
    if (!isRevision && causes[event.type] === undefined) return [];
    const at = (length: number) => naiveRegistry(own.slice(0, length)).releases.find(({ id }) => id === releaseId);
    const [before, after] = [at(index), at(index + 1)];
    const changes = differences(releaseValues(before), releaseValues(after));
    const { cause } = event.metadata;
    return [
      {
        revision: after!.revision,
        position: event.position,
        at: event.metadata.recordedAt,
        cause: causes[event.type] ?? (cause === 'edit' || cause === 'enrich' ? cause : 'ingest'),
        changes: before === undefined ? changes.filter(({ to }) => !isNothing(to)) : changes,
      },
    ];
  });
  return items.reverse();
};
